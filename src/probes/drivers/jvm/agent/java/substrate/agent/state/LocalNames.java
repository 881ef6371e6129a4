package substrate.agent.state;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

import substrate.agent.code.ClassFile;
import substrate.agent.vm.StackLocal;

/** Names of local variables, as far as the class files tell them. */
final class LocalNames {
    private static final String UNKNOWN = "";
    private static final String THIS = "this";
    /** A busy program is seen at ever new places of its code. */
    private static final int MAX_KNOWN = 5000;
    private final Map<Class<?>, Map<String, String>> known = new WeakHashMap<Class<?>, Map<String, String>>();
    private int count;

    /** null: not known, or `this`. */
    String of(StackLocal local) {
        Map<String, String> names = known.get(local.type);
        String method = local.method + local.descriptor;
        // The first variable is `this` at all places of a method, or at none.
        if (names != null && local.slot == 0 && names.containsKey(method)) return null;
        String key = method + local.slot + '@' + local.place;
        String name = names == null ? null : names.get(key);
        if (name == null) {
            name = read(local);
            keep(local.type, name.equals(THIS) && local.slot == 0 ? method : key, name);
        }
        return name.equals(UNKNOWN) || name.equals(THIS) ? null : name;
    }

    private void keep(Class<?> type, String key, String name) {
        if (++count > MAX_KNOWN) {
            known.clear();
            count = 1;
        }
        Map<String, String> names = known.get(type);
        if (names == null) known.put(type, names = new HashMap<String, String>());
        names.put(key, name);
    }

    private static String read(StackLocal local) {
        try {
            byte[] bytes = ClassFile.bytesOf(local.type);
            ClassFile file = bytes == null ? null : ClassFile.parse(bytes);
            String name = file == null ? null : file.localName(local.method, local.descriptor, local.slot, local.place);
            return name == null || name.indexOf('$') >= 0 ? UNKNOWN : name;
        } catch (Throwable malformed) {
            return UNKNOWN;
        }
    }
}
