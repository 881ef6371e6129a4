package substrate.agent.vm;

/** An object in a local variable of a method that runs now. */
public final class StackLocal {
    public final Object object;
    /** The same number as Thread.getId. */
    public final long threadId;
    /** 0 is the innermost frame. */
    public final int depth;
    public final int slot;
    /** The position of the method in its code; negative if not known. */
    public final int place;
    public final Class<?> type;
    public final String method;
    public final String descriptor;

    public StackLocal(
        Object object, long threadId, int depth, int slot, int place, Class<?> type, String method, String descriptor) {
        this.object = object;
        this.threadId = threadId;
        this.depth = depth;
        this.slot = slot;
        this.place = place;
        this.type = type;
        this.method = method;
        this.descriptor = descriptor;
    }
}
