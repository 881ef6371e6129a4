package substrate.agent.state;

import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

import substrate.agent.read.Ownership;

/** Tells the app's classes from those of the JDK, of known libraries and of this agent. */
final class AppClasses implements Ownership {
    private static final String[] PROXY_MARKS = {
        "$$EnhancerBy", "$$SpringCGLIB$$", "$$FastClassBy", "$ByteBuddy$", "$HibernateProxy$", "_$$_jvst",
        "_$$_javassist", "_$$_Weld", "_ClientProxy",
    };

    private final ClassLoader platform;
    private final ClassLoader own = AppClasses.class.getClassLoader();
    /** Library prefixes that are the app itself here. */
    private final String[] exempt;
    private final Map<Class<?>, Integer> known = Collections.synchronizedMap(new WeakHashMap<Class<?>, Integer>());

    AppClasses(String mainClass) {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        platform = system == null ? null : system.getParent();
        exempt = mainClass == null ? new String[0] : Libraries.exemptions(mainClass);
    }

    @Override
    public int of(Class<?> type) {
        Integer verdict = known.get(type);
        if (verdict == null) known.put(type, verdict = judge(type));
        return verdict;
    }

    /** A known library, whether or not it is the app itself here. */
    boolean isOfLibrary(Class<?> type) {
        return of(type) == LIBRARY || of(type) == APP && exempt.length > 0 && Libraries.isKnown(type.getName());
    }

    private int judge(Class<?> type) {
        if (type.isArray()) return of(type.getComponentType());
        ClassLoader loader = type.getClassLoader();
        String name = type.getName();
        // Of the platform's lambdas and proxies too: they lead to what the app gave them.
        if (name.contains("$$Lambda") || name.indexOf('/') >= 0) return LAMBDA;
        if (Proxy.isProxyClass(type)) return PROXY;
        if (loader == null || loader == platform || type.isPrimitive()) return JDK;
        if (loader == own && name.startsWith("substrate.agent.") || name.startsWith("substrate.boot.")) return AGENT;
        if (isLambdaOfLanguage(type)) return LAMBDA;
        for (String mark : PROXY_MARKS) if (name.contains(mark)) return PROXY;
        for (String prefix : exempt) if (name.startsWith(prefix) && !Libraries.holdsSecrets(name)) return APP;
        return Libraries.isKnown(name) ? LIBRARY : APP;
    }

    private static boolean isLambdaOfLanguage(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        if (parent == null) return false;
        String name = parent.getName();
        return name.equals("kotlin.jvm.internal.Lambda") || name.equals("groovy.lang.Closure")
            || name.startsWith("scala.runtime.AbstractFunction") || name.startsWith("kotlin.coroutines.jvm.internal.");
    }
}
