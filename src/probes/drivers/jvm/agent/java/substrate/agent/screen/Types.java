package substrate.agent.screen;

/** Checks the type of an object by the name of a class that may be missing: `instanceof` would load it. */
public final class Types {
    private Types() {}

    public static boolean isA(Object value, String name) {
        for (Class<?> type = value == null ? null : value.getClass(); type != null; type = type.getSuperclass())
            if (type.getName().equals(name) || implementsIt(type, name)) return true;
        return false;
    }

    private static boolean implementsIt(Class<?> type, String name) {
        for (Class<?> each : type.getInterfaces())
            if (each.getName().equals(name) || implementsIt(each, name)) return true;
        return false;
    }
}
