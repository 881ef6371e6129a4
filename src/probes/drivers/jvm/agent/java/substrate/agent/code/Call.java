package substrate.agent.code;

/** A call that a method makes. */
final class Call {
    /** What is done to each value that is put into a text. */
    static final Call TO_TEXT = new Call(
        new String[] {"java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;"}, true, false,
        ValueOrigin.OTHER, new long[] {ValueOrigin.OTHER}, -1);

    /** Internal name: `java/util/List`. */
    final String owner;
    final String name;
    final String descriptor;
    final boolean isStatic;
    /** The method of just this class is meant: constructors, `super.x()`, private ones. */
    final boolean isExact;
    /** See ValueOrigin; OTHER for a static call. */
    final long receiver;
    /** Of each argument. */
    final long[] arguments;
    /** By which values name its result; negative: by none. */
    final int result;

    Call(String[] member, boolean isStatic, boolean isExact, long receiver, long[] arguments, int result) {
        owner = member[0];
        name = member[1];
        descriptor = member[2];
        this.isStatic = isStatic;
        this.isExact = isExact;
        this.receiver = receiver;
        this.arguments = arguments;
        this.result = result;
    }

    /** What it does is known by its name, in src/probes/drivers/jvm/java-platform.ts. */
    static boolean isOfPlatform(String owner) {
        return owner.startsWith("java/") || owner.startsWith("javax/") || owner.startsWith("[")
            || owner.startsWith("kotlin/jvm/internal/");
    }
}
