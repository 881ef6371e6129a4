package substrate.agent.vm;

/** An object in a local variable of a method that runs now. */
public final class StackLocal {
    public final Object object;
    /** As Thread.getId gives it. */
    public final long threadId;
    /** 0: the innermost frame. */
    public final int depth;
    public final int slot;
    public final Class<?> type;
    public final String method;
    public final String descriptor;

    public StackLocal(
        Object object, long threadId, int depth, int slot, Class<?> type, String method, String descriptor) {
        this.object = object;
        this.threadId = threadId;
        this.depth = depth;
        this.slot = slot;
        this.type = type;
        this.method = method;
        this.descriptor = descriptor;
    }
}
