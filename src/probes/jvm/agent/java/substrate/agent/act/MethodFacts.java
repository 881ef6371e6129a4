package substrate.agent.act;

import java.util.ArrayList;
import java.util.List;

/** What the instructions of one method do by themselves, and what they call. Holds no class: it may be kept. */
final class MethodFacts {
    /** What it does cannot be told. */
    static final MethodFacts OPAQUE = new MethodFacts();

    static {
        OPAQUE.level = Effects.UNKNOWN;
    }

    /** See Effects. */
    int level = Effects.NONE;
    /** How many fields of `this` it writes with what the caller gave. */
    int fieldsFromArguments;
    /** It also writes to `this` what the caller did not give. */
    boolean writesElse;
    final List<Call> calls = new ArrayList<Call>();

    void raise(int atLeast) {
        level = Math.max(level, atLeast);
    }
}
