package substrate.agent.act;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the instructions of one method do by themselves, and what they call. Holds no class: it may be kept. */
final class MethodFacts {
    /** What it does cannot be told. */
    static final MethodFacts OPAQUE = new MethodFacts();

    static {
        OPAQUE.level = Effects.UNKNOWN;
    }

    /** See Effects. */
    int level = Effects.NONE;
    /** The field of `this` that it writes with what the caller gave; null: none. */
    String fieldFromArgument;
    /** It also writes to `this` what the caller did not give, or to a second field. */
    boolean writesElse;
    final Set<String> fieldsRead = new HashSet<String>();
    final List<Call> calls = new ArrayList<Call>();
    /** Internal names of classes whose static fields it touches: the first touch of a class runs its initialiser. */
    final Set<String> staticsOf = new HashSet<String>();
    /** Internal names of the classes of what it handles, as far as the instructions name them. */
    final Set<String> handled = new HashSet<String>();

    void writeFromArgument(String field) {
        if (fieldFromArgument != null && !fieldFromArgument.equals(field)) writesElse = true;
        fieldFromArgument = field;
    }

    void raise(int atLeast) {
        level = Math.max(level, atLeast);
    }
}
