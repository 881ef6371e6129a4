package substrate.agent.state;

import java.io.File;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

import substrate.agent.health.Discarded;
import substrate.agent.read.Ownership;
import substrate.agent.vm.OwnClasses;

/** Distinguishes the app's classes from those of the JDK, of known libraries and of this agent. */
final class AppClasses implements Ownership {
    private final ClassLoader platform;
    private final String mainClass;
    /** From the daemon: see Owners in src/probes/insight/walk-rules.ts. */
    private volatile String[] libraries = {};
    private volatile String[] deadEnds = {};
    private volatile String[] proxies = {};
    private volatile String own;
    private final Map<Class<?>, Integer> known = Collections.synchronizedMap(new WeakHashMap<Class<?>, Integer>());

    AppClasses() {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        platform = system == null ? null : system.getParent();
        mainClass = MainClass.find();
    }

    String mainClass() {
        return mainClass;
    }

    void learn(Map<?, ?> owners) {
        libraries = texts(owners.get("libraries"));
        deadEnds = texts(owners.get("deadEnds"));
        proxies = texts(owners.get("proxies"));
        own = (String) owners.get("own");
        known.clear();
    }

    private static String[] texts(Object list) {
        return ((List<?>) list).toArray(new String[0]);
    }

    /** A class of the JDK that leads to no state, or to too many objects that are none. */
    boolean isDeadEnd(Class<?> type) {
        return startsWithAny(type.getName(), deadEnds);
    }

    /** True for known library code: a class or, with a dot behind it, a package or namespace. */
    boolean isOfLibrary(String name) {
        return startsWithAny(name, libraries);
    }

    private static boolean startsWithAny(String name, String[] beginnings) {
        for (String beginning : beginnings) if (name.startsWith(beginning)) return true;
        return false;
    }

    /** True if the app was started with it. */
    boolean isMain(Class<?> type) {
        return type.getName().equals(mainClass);
    }

    @Override
    public int of(Class<?> type) {
        Integer verdict = known.get(type);
        if (verdict == null) known.put(type, verdict = judge(type));
        return verdict;
    }

    private int judge(Class<?> type) {
        if (type.isArray()) return of(type.getComponentType());
        ClassLoader loader = type.getClassLoader();
        String name = type.getName();
        // Lambdas and proxies of the platform count too: they hold objects that the app gave them.
        if (name.contains("$$Lambda") || name.indexOf('/') >= 0) return LAMBDA;
        if (Proxy.isProxyClass(type)) return PROXY;
        if (loader == null || loader == platform || type.isPrimitive()) return JDK;
        if (OwnClasses.has(type)) return AGENT;
        if (isLambdaOfLanguage(type)) return LAMBDA;
        // All functions of Clojure are closures, those of its libraries too.
        if (isClojureFunction(type)) return startsWithAny(name, libraries) ? LIBRARY : LAMBDA;
        for (String mark : proxies) if (name.contains(mark)) return PROXY;
        return own != null && name.startsWith(own) || !startsWithAny(name, libraries) ? APP : LIBRARY;
    }

    /** True if the object's class or an ancestor has this name: the agent must not link classes of libraries. */
    static boolean isOf(String name, Object object) {
        for (Class<?> at = object.getClass(); at != null; at = at.getSuperclass())
            if (at.getName().equals(name)) return true;
        return false;
    }

    private static boolean isClojureFunction(Class<?> type) {
        String parent = type.getSuperclass() == null ? "" : type.getSuperclass().getName();
        return parent.equals("clojure.lang.AFunction") || parent.equals("clojure.lang.RestFn");
    }

    private static boolean isLambdaOfLanguage(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        if (parent == null) return false;
        String name = parent.getName();
        return name.equals("kotlin.jvm.internal.Lambda") || name.equals("groovy.lang.Closure")
            || name.startsWith("scala.runtime.AbstractFunction") || name.startsWith("kotlin.coroutines.jvm.internal.");
    }
}

/** The class that the app was started with. */
final class MainClass {
    private MainClass() {}

    /** Its name; null if not known. */
    static String find() {
        try {
            String command = System.getProperty("sun.java.command");
            if (command == null || command.isEmpty()) return null;
            int space = command.indexOf(' ');
            String first = space < 0 ? command : command.substring(0, space);
            if (first.endsWith(".jar")) return ofJar(System.getProperty("java.class.path"));
            int module = first.indexOf('/');
            return module < 0 ? first : first.substring(module + 1);
        } catch (Throwable unreadable) {
            Discarded.count("AppClasses.find", unreadable);
            return null;
        }
    }

    private static String ofJar(String path) throws java.io.IOException {
        if (path == null || !new File(path).isFile()) return null;
        JarFile jar = new JarFile(path);
        try {
            Manifest manifest = jar.getManifest();
            if (manifest == null) return null;
            Attributes attributes = manifest.getMainAttributes();
            String start = attributes.getValue("Start-Class");
            return start != null ? start : attributes.getValue("Main-Class");
        } finally {
            jar.close();
        }
    }
}
