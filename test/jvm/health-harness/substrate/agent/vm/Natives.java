package substrate.agent.vm;

/** In place of the agent's own: a JVMTI that refuses everything. */
final class Natives {
    private Natives() {}

    static Class<?>[] loadedClasses(long jvmti) {
        return null;
    }

    static boolean isInitialised(long jvmti, Class<?> type) {
        return false;
    }

    static boolean open(long jvmti, Object module, String packageName, Object to) {
        return false;
    }

    static int stackLocals(long jvmti, int round, long[] skipped, Object[] objects, long[] facts) {
        return -1;
    }

    static Object[] method(long jvmti, long method) {
        return null;
    }

    static long cpuNanos(long jvmti) {
        return -1;
    }

    static void dispose(long jvmti) {}
}
