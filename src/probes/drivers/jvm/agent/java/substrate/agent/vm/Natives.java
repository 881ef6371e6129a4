package substrate.agent.vm;

/** Bound by the native library. `jvmti` is the address of a JVMTI environment that was not disposed of yet. */
final class Natives {
    private Natives() {}

    static native Class<?>[] loadedClasses(long jvmti);

    static native boolean isInitialised(long jvmti, Class<?> type);

    static native boolean open(long jvmti, Object module, String packageName, Object to);

    /**
     * Fills `objects` and, five numbers for each, `facts`: thread, depth, slot, method, place in its code. Returns the
     * count, or -1 when the VM refused. `round`: positive, another one each time. Locals of the methods in `skipped`
     * (ascending) are left out. An object that died is null.
     */
    static native int stackLocals(long jvmti, int round, long[] skipped, Object[] objects, long[] facts);

    /** Class, name, descriptor; null if unloaded. */
    static native Object[] method(long jvmti, long method);

    /** Processor time of this thread; negative if the VM does not have it. */
    static native long cpuNanos(long jvmti);

    static native void dispose(long jvmti);
}
