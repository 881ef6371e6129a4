package substrate.agent.vm;

/** Access to the virtual machine beyond reflection: by the native library, or without it by java.lang.instrument. */
public interface Vm {
    Class<?>[] loadedClasses();

    /** False if reading a static field would run the class's initialiser. */
    boolean isInitialised(Class<?> type);

    /** Makes reflection on the members of this class possible (module opens); false if it stays closed. */
    boolean open(Class<?> type);

    /**
     * The objects on the stacks of live threads, innermost frames first; empty without the native library. Stops the
     * app for about 1 ms.
     */
    StackLocal[] stackLocals(int max);

    boolean seesStacks();

    /** Processor time of this thread, or wall time where the VM does not have it; only differences are meaningful. */
    long cpuNanos();
}
