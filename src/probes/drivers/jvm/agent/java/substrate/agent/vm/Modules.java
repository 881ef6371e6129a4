package substrate.agent.vm;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

import substrate.agent.health.Discarded;
import substrate.agent.health.Parts;

/** Opens packages to this agent, each once. By reflection: Java 8 has no modules. Not safe for threads. */
final class Modules {
    /** Makes the VM open a package of a module to another module. */
    interface Opener {
        boolean open(Object module, String packageName, Object to) throws Exception;
    }

    private final Opener opener;
    /** All are null on Java 8. */
    private Object own;
    private Method getModule;
    private Method isNamed;
    /** The packages of each module, and whether each is open. Weak: modules of the app can be unloaded. */
    private final Map<Object, Map<String, Boolean>> known = new WeakHashMap<Object, Map<String, Boolean>>();

    Modules(Opener opener) {
        this.opener = opener;
        try {
            Method moduleOf = Class.class.getMethod("getModule");
            own = moduleOf.invoke(Modules.class);
            isNamed = own.getClass().getMethod("isNamed");
            getModule = moduleOf;
        } catch (Exception java8) {
            // Nothing is lost: Java 8 has no modules, and everything is open there.
            getModule = null;
        }
    }

    boolean open(Class<?> type) {
        if (getModule == null) return true;
        Class<?> element = type;
        while (element.isArray()) element = element.getComponentType();
        if (element.isPrimitive()) return true;
        String name = element.getName();
        String packageName = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        try {
            return isOpen(getModule.invoke(element), packageName);
        } catch (Exception refused) {
            Discarded.count("Modules.open", refused);
            return missed(packageName);
        }
    }

    private static boolean missed(String packageName) {
        Parts.miss("modules", "the JVM keeps package " + packageName + " closed: fields of its classes are not read");
        return false;
    }

    private boolean isOpen(Object module, String packageName) throws Exception {
        Map<String, Boolean> packages = known.get(module);
        if (packages == null) known.put(module, packages = new HashMap<String, Boolean>());
        Boolean open = packages.get(packageName);
        if (open == null) {
            // Java 9 to 15 call all packages open, and write a warning for each that was not opened explicitly.
            open = !(Boolean) isNamed.invoke(module) || opener.open(module, packageName, own);
            packages.put(packageName, open);
            if (!open) missed(packageName);
        }
        return open;
    }
}
