package substrate.agent.code;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the instructions of one method do by themselves, and what they call. Holds no class: it may be kept. */
public final class CodeFacts {
    /** What it does cannot be told. */
    static final CodeFacts OPAQUE = new CodeFacts();

    static {
        OPAQUE.isOpaque = true;
    }

    boolean isOpaque;
    /** Each `[kind, holder, value, field]`, see code-facts.ts. */
    final Set<String> writes = new HashSet<String>();
    /** Fields of `this`. */
    final Set<String> reads = new HashSet<String>();
    final List<Call> calls = new ArrayList<Call>();
    /** Internal names of classes whose static fields it touches: the first touch of a class runs its initialiser. */
    final Set<String> staticsOf = new HashSet<String>();
    /** Internal names of the classes of what it handles, as far as the instructions name them. */
    final Set<String> handled = new HashSet<String>();

    void write(String kind, long holder, long value, String field) {
        StringBuilder out = new StringBuilder("[\"").append(kind).append("\",").append(holder).append(',').append(value);
        substrate.agent.json.JsonWriter.value(out.append(','), field);
        writes.add(out.append(']').toString());
    }

    /** The class that a type names, if it is not the platform's. */
    void handle(String type) {
        if (type.startsWith("L") && !Call.isOfPlatform(type.substring(1))) handled.add(type.substring(1, type.length() - 1));
    }
}
