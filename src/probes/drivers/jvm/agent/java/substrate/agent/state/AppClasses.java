package substrate.agent.state;

import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

import substrate.agent.read.Ownership;
import substrate.agent.vm.OwnClasses;

/** Tells the app's classes from those of the JDK, of known libraries and of this agent. */
final class AppClasses implements Ownership {
    private static final String[] PROXY_MARKS = {
        "$$EnhancerBy", "$$SpringCGLIB$$", "$$FastClassBy", "$ByteBuddy$", "$HibernateProxy$", "_$$_jvst",
        "_$$_javassist", "_$$_Weld", "_ClientProxy",
    };

    private final ClassLoader platform;
    private final String mainClass;
    /** The library that is the app itself here, by the beginning of its names; null: none is. */
    private final String exempt;
    private final Map<Class<?>, Integer> known = Collections.synchronizedMap(new WeakHashMap<Class<?>, Integer>());

    AppClasses(String mainClass) {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        platform = system == null ? null : system.getParent();
        this.mainClass = mainClass;
        exempt = Libraries.exemption(mainClass);
    }

    /** The app was started with it. */
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
        // Of the platform's lambdas and proxies too: they lead to what the app gave them.
        if (name.contains("$$Lambda") || name.indexOf('/') >= 0) return LAMBDA;
        if (Proxy.isProxyClass(type)) return PROXY;
        if (loader == null || loader == platform || type.isPrimitive()) return JDK;
        if (OwnClasses.has(type)) return AGENT;
        if (isLambdaOfLanguage(type)) return LAMBDA;
        for (String mark : PROXY_MARKS) if (name.contains(mark)) return PROXY;
        return !Libraries.isKnown(name) || exempt != null && name.startsWith(exempt) ? APP : LIBRARY;
    }

    private static boolean isLambdaOfLanguage(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        if (parent == null) return false;
        String name = parent.getName();
        return name.equals("kotlin.jvm.internal.Lambda") || name.equals("groovy.lang.Closure")
            || name.startsWith("scala.runtime.AbstractFunction") || name.startsWith("kotlin.coroutines.jvm.internal.");
    }
}
