package substrate.agent.health;

import java.util.LinkedHashMap;
import java.util.Map;

import substrate.agent.json.JsonWriter;

/** Parts of the agent that do not work in this program, with the problem and its effect in words for people. */
public final class Parts {
    private static final int MAX_PARTS = 20;
    private static final int MAX_PROBLEM = 200;
    private static final int MAX_MESSAGE = 90;
    private static final Map<String, String> MISSING = new LinkedHashMap<String, String>();
    private static int version;

    private Parts() {}

    /** `problem` holds no value of the program and no message of an exception. The first problem of a part is kept. */
    public static void miss(String name, String problem) {
        synchronized (MISSING) {
            if (MISSING.containsKey(name) || MISSING.size() == MAX_PARTS) return;
            MISSING.put(name, problem.length() <= MAX_PROBLEM ? problem : problem.substring(0, MAX_PROBLEM));
            version++;
        }
    }

    /** The part works now. */
    public static void have(String name) {
        synchronized (MISSING) {
            if (MISSING.remove(name) != null) version++;
        }
    }

    /** `effect` says what the user does not get. */
    public static void miss(String name, String effect, Throwable error) {
        miss(name, reasonOf(error) + ": " + effect);
    }

    /** Messages of these errors are names of classes and members; those of others can hold values or paths. */
    private static String reasonOf(Throwable error) {
        boolean namesClasses = error instanceof NoClassDefFoundError || error instanceof IncompatibleClassChangeError
            || error instanceof ClassFormatError;
        String message = namesClasses ? error.getMessage() : null;
        if (message == null || message.indexOf('\n') >= 0) return nameOf(error);
        return nameOf(error) + " " + (message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE));
    }

    /** The name of its class, without the package. */
    public static String nameOf(Throwable error) {
        String name = error.getClass().getName();
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }

    static int version() {
        synchronized (MISSING) {
            return version;
        }
    }

    /** `[{"name": …, "problem": …}]` */
    static void write(StringBuilder out) {
        synchronized (MISSING) {
            char separator = '[';
            for (Map.Entry<String, String> part : MISSING.entrySet()) {
                JsonWriter.string(out.append(separator).append("{\"name\":"), part.getKey());
                JsonWriter.string(out.append(",\"problem\":"), part.getValue());
                out.append('}');
                separator = ',';
            }
            out.append(separator == '[' ? "[]" : "]");
        }
    }
}
