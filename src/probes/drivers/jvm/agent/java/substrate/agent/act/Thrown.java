package substrate.agent.act;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import substrate.agent.health.Discarded;
import substrate.agent.vm.Vm;

/** Reads the message of an exception from its fields: its methods may be the app's. */
public final class Thrown {
    private static final int MAX_MESSAGE = 4000;

    private Thrown() {}

    /** `java.lang.IllegalStateException: no stock`. */
    public static String text(Vm vm, Throwable thrown) {
        String message = message(vm, thrown);
        return thrown.getClass().getName() + (message == null ? "" : ": " + message);
    }

    public static Map<String, Object> json(Vm vm, Throwable thrown) {
        Map<String, Object> json = new LinkedHashMap<String, Object>();
        json.put("exception", thrown.getClass().getName());
        json.put("message", message(vm, thrown));
        json.put("at", place(thrown));
        return json;
    }

    private static String message(Vm vm, Throwable thrown) {
        try {
            String message = isOfJdk(thrown, "getMessage") ? thrown.getMessage() : field(vm, thrown);
            if (message == null || message.length() <= MAX_MESSAGE) return message;
            return message.substring(0, MAX_MESSAGE) + "…";
        } catch (Exception closed) {
            Discarded.count("Thrown.message", closed);
            return null;
        }
    }

    private static String field(Vm vm, Throwable thrown) throws Exception {
        vm.open(Throwable.class);
        Field message = Throwable.class.getDeclaredField("detailMessage");
        message.setAccessible(true);
        return (String) message.get(thrown);
    }

    private static String place(Throwable thrown) {
        try {
            if (!isOfJdk(thrown, "getStackTrace")) return null;
            StackTraceElement[] stack = thrown.getStackTrace();
            for (StackTraceElement frame : stack) {
                if (!TimedCall.isOfPlatform(frame.getClassName())) return TimedCall.placeOf(frame);
            }
            return stack.length == 0 ? null : TimedCall.placeOf(stack[0]);
        } catch (Exception hidden) {
            Discarded.count("Thrown.place", hidden);
            return null;
        }
    }

    private static boolean isOfJdk(Throwable thrown, String name) throws NoSuchMethodException {
        Method method = thrown.getClass().getMethod(name);
        return method.getDeclaringClass().getClassLoader() == null;
    }
}
