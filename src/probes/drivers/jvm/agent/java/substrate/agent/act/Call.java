package substrate.agent.act;

/** A call that a method makes. */
final class Call {
    /** What is done to each value that is put into a text. */
    static final Call TO_TEXT = new Call(
        new String[] {"java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;"}, true, false, ValueOrigin.OTHER,
        new byte[] {ValueOrigin.OTHER});

    /** Internal name: `java/util/List`. */
    final String owner;
    final String name;
    final String descriptor;
    /** Name and descriptor. */
    final String key;
    final boolean isStatic;
    /** The method of just this class is meant: constructors, `super.x()`, private ones. */
    final boolean isExact;
    /** See ValueOrigin; OTHER for a static call. */
    final byte receiver;
    /** Of each argument, see ValueOrigin. */
    final byte[] arguments;

    Call(String[] member, boolean isStatic, boolean isExact, byte receiver, byte[] arguments) {
        owner = member[0];
        name = member[1];
        descriptor = member[2];
        key = name + descriptor;
        this.isStatic = isStatic;
        this.isExact = isExact;
        this.receiver = receiver;
        this.arguments = arguments;
    }
}
