package substrate.agent.read;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/** Fields that compilers and frameworks put into classes, and others that say nothing of the app's state. */
final class Noise {
    private static final String[] NAMES = {
        "$VALUES", "$ENTRIES", "metaClass", "Companion", "serialVersionUID", "MODULE$", "$staticClassInfo", "$stable",
        "$staticClassInfo$", "$callSiteArray", "$jacocoData", "__$stMC", "$assertionsDisabled",
        "serialPersistentFields",
    };
    static final String[] SINGLETONS = {
        "INSTANCE", "instance", "_instance", "sInstance", "theInstance", "SINGLETON", "singleton", "MODULE$",
    };
    private static final String[] PREFIXES = {
        "$$", "ajc$", "bitmap$", "CGLIB$", "this$", "$SWITCH_TABLE$", "$SwitchMap$",
    };
    private static final String DELEGATE = "$delegate";

    private Noise() {}

    static boolean isNoise(Field field) {
        if (field.isSynthetic() || field.isEnumConstant()) return true;
        String name = field.getName();
        for (String noise : NAMES) if (name.equals(noise)) return true;
        for (String prefix : PREFIXES) if (name.startsWith(prefix)) return true;
        return isLogger(field.getType());
    }

    static boolean isStaticState(Field field) {
        return Modifier.isStatic(field.getModifiers()) && !isNoise(field) && !isConstant(field) && !isSingleton(field);
    }

    /** Holds the one object of its class. */
    static boolean isSingleton(Field field) {
        if (!Modifier.isStatic(field.getModifiers())) return false;
        if (!field.getType().isAssignableFrom(field.getDeclaringClass())) return false;
        for (String name : SINGLETONS) if (field.getName().equals(name)) return true;
        return false;
    }

    /** Known when it was compiled, or as good as. */
    private static boolean isConstant(Field field) {
        Class<?> type = field.getType();
        return Modifier.isFinal(field.getModifiers()) && (type.isPrimitive() || type == String.class);
    }

    /** A delegated property of Kotlin by the name that the source gives it. */
    static String plainName(String name) {
        return name.endsWith(DELEGATE) && name.length() > DELEGATE.length()
            ? name.substring(0, name.length() - DELEGATE.length())
            : name;
    }

    private static boolean isLogger(Class<?> type) {
        String name = type.getName();
        return name.endsWith("Logger") || name.endsWith(".Log") || name.equals("java.lang.ThreadLocal");
    }

    /** Interfaces of the JDK for things that are shown; null in a field of another one says nothing. */
    static boolean isDataInterface(Class<?> type) {
        String name = type.getName();
        if (name.startsWith("java.util.function.")) return false;
        if (name.startsWith("java.util.concurrent."))
            return name.endsWith("Map") || name.endsWith("Queue") || name.endsWith("Deque");
        return name.startsWith("java.util.") || name.startsWith("java.time.")
            || type == CharSequence.class || type == Comparable.class || type == java.nio.file.Path.class;
    }

    /** Classes of the JDK that are nothing but their fields. */
    static boolean isPlainData(Class<?> type) {
        switch (type.getName()) {
            case "java.awt.Point":
            case "java.awt.Dimension":
            case "java.awt.Rectangle":
            case "java.awt.Insets":
            case "java.awt.geom.Point2D$Double":
            case "java.awt.geom.Point2D$Float":
            case "java.awt.geom.Rectangle2D$Double":
            case "java.awt.geom.Rectangle2D$Float":
            case "java.awt.geom.Line2D$Double":
            case "java.awt.geom.Ellipse2D$Double":
                return true;
            default: return false;
        }
    }
}
