package substrate.agent.state;

/** What roots are called. Read from class names as they are: getSimpleName fails on those of some compilers. */
final class RootNames {
    private RootNames() {}

    /** `Inner` for `com.example.Outer$Inner`; null for a class without a name of its own. */
    static String simple(Class<?> type) {
        String name = type.getName();
        while (name.endsWith("$")) name = name.substring(0, name.length() - 1);
        String last = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
        return last.isEmpty() || Character.isDigit(last.charAt(0)) ? null : last;
    }

    /** `Outer_Inner`; null for a class that is not nested. */
    static String withOuter(Class<?> type) {
        String name = type.getName();
        while (name.endsWith("$")) name = name.substring(0, name.length() - 1);
        String last = name.substring(name.lastIndexOf('.') + 1);
        return last.indexOf('$') > 0 ? last.replace('$', '_') : null;
    }

    /** By the custom of Java: capitals only. */
    static boolean isConstant(String field) {
        boolean hasCapital = false;
        for (int at = 0; at < field.length(); at++) {
            if (Character.isLowerCase(field.charAt(at))) return false;
            hasCapital |= Character.isUpperCase(field.charAt(at));
        }
        return hasCapital && field.length() > 1;
    }

    /** `shop` for Shop, `URLBook` stays; for a class without a name that of the class around it. */
    static String decapitalised(Class<?> type) {
        Class<?> at = type;
        String simple = simple(at);
        for (; simple == null && at.getSuperclass() != null; simple = simple(at)) at = at.getSuperclass();
        if (simple == null) return "object";
        boolean isAbbreviation = simple.length() > 1 && Character.isUpperCase(simple.charAt(1));
        return isAbbreviation ? simple : Character.toLowerCase(simple.charAt(0)) + simple.substring(1);
    }
}
