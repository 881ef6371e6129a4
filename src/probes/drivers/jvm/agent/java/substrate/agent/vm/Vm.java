package substrate.agent.vm;

/** What the virtual machine tells beyond reflection: by the native library, or by java.lang.instrument without it. */
public interface Vm {
    Class<?>[] loadedClasses();

    /** False: reading a static field would run the class's initialiser. */
    boolean isInitialised(Class<?> type);

    /** Makes reflection on the members of this class possible (module opens); false: it stays closed. */
    boolean open(Class<?> type);

    /**
     * What the stacks of live threads hold, innermost frames first; empty without the native library. Stops the app for
     * about 1 ms.
     */
    StackLocal[] stackLocals(int max);

    boolean seesStacks();

    /** Processor time of this thread, or time that passes where that is not told; only differences mean something. */
    long cpuNanos();
}
