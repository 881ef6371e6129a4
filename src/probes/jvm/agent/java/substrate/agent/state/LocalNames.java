package substrate.agent.state;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

import substrate.agent.act.ClassFile;
import substrate.agent.vm.StackLocal;

/** Names of local variables, as far as the class files tell them. */
final class LocalNames {
    private static final String UNKNOWN = "";
    private final Map<Class<?>, Map<String, String>> known = new WeakHashMap<Class<?>, Map<String, String>>();

    /** null: not known, or `this`. */
    String of(StackLocal local) {
        Map<String, String> names = known.get(local.type);
        if (names == null) known.put(local.type, names = new HashMap<String, String>());
        String key = local.method + local.descriptor + local.slot;
        String name = names.get(key);
        if (name == null) names.put(key, name = read(local));
        return name.equals(UNKNOWN) ? null : name;
    }

    private static String read(StackLocal local) {
        try {
            byte[] bytes = ClassFile.bytesOf(local.type);
            ClassFile file = bytes == null ? null : ClassFile.parse(bytes);
            String name = file == null ? null : file.localName(local.method, local.descriptor, local.slot);
            return name == null || name.equals("this") || name.indexOf('$') >= 0 ? UNKNOWN : name;
        } catch (Throwable malformed) {
            return UNKNOWN;
        }
    }
}
