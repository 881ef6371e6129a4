package substrate.agent.vm;

/** Classes of this agent, and of earlier agents that the JVM has not unloaded yet. */
public final class OwnClasses {
    private static final ClassLoader OWN = OwnClasses.class.getClassLoader();
    private static final String LOADER = "substrate.boot.Loader";

    private OwnClasses() {}

    public static boolean has(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        if (loader == null) return false;
        String name = type.getName();
        // The boot classes are on the app's class path if the agent was loaded as a jar.
        if (name.startsWith("substrate.boot.") || loader.getClass().getName().equals(LOADER)) return true;
        return loader == OWN && name.startsWith("substrate.agent.");
    }
}
