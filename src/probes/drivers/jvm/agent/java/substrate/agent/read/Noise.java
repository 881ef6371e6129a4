package substrate.agent.read;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/** Fields that compilers and frameworks add to classes, and other fields without state of the app. */
final class Noise {
    private static final String[] NAMES = {
        "$VALUES", "$ENTRIES", "metaClass", "Companion", "serialVersionUID", "MODULE$", "$staticClassInfo", "$stable",
        "$staticClassInfo$", "$callSiteArray", "$jacocoData", "$assertionsDisabled",
        "serialPersistentFields", "__meta", "__extmap", "__hash", "__hasheq",
    };
    static final String[] SINGLETONS = {
        "INSTANCE", "instance", "_instance", "sInstance", "theInstance", "SINGLETON", "singleton", "MODULE$",
    };
    private static final String[] PREFIXES = {
        "$$", "ajc$", "bitmap$", "CGLIB$", "this$", "$SWITCH_TABLE$", "$SwitchMap$",
        "const__", "__thunk__", "__site__", "__cached_class__", "OFFSET$", "0bitmap$", "__$",
    };
    private static final String DELEGATE = "$delegate";
    private static final String LAZY = "$lzy";

    private Noise() {}

    static boolean isNoise(Field field) {
        if (field.isSynthetic() || field.isEnumConstant()) return true;
        String name = field.getName();
        for (String noise : NAMES) if (name.equals(noise)) return true;
        for (String prefix : PREFIXES) if (name.startsWith(prefix)) return true;
        return isLogger(field.getType());
    }

    /** True if the field holds the singleton of its class. */
    static boolean isSingleton(Field field) {
        if (!Modifier.isStatic(field.getModifiers())) return false;
        if (!field.getType().isAssignableFrom(field.getDeclaringClass())) return false;
        for (String name : SINGLETONS) if (field.getName().equals(name)) return true;
        return false;
    }

    /**
     * The name in the source: without the suffix of a delegated property of Kotlin, the class prefix of a private field
     * of Scala (`shop$Till$$orders`), the suffix of a lazy value of Scala 3 (`orders$lzy1`).
     */
    static String plainName(String name) {
        String plain = name.substring(name.lastIndexOf("$$") < 1 ? 0 : name.lastIndexOf("$$") + 2);
        int end = plain.endsWith(DELEGATE) ? plain.length() - DELEGATE.length() : plain.lastIndexOf(LAZY);
        if (end > 0) plain = plain.substring(0, end);
        return plain.isEmpty() ? name : plain;
    }

    private static boolean isLogger(Class<?> type) {
        String name = type.getName();
        return name.endsWith("Logger") || name.endsWith(".Log") || name.equals("java.lang.ThreadLocal");
    }

    /**
     * Kinds of infrastructure in the JDK: they move, format or translate state. The objects they hold may lead to state
     * nonetheless.
     */
    private static final Class<?>[] MACHINERY = {
        ClassLoader.class, java.util.ResourceBundle.class, java.text.Format.class, java.io.InputStream.class,
        java.io.OutputStream.class, java.io.Reader.class, java.io.Writer.class,
        java.util.concurrent.locks.Lock.class, java.util.concurrent.locks.ReadWriteLock.class,
        java.util.concurrent.locks.AbstractQueuedSynchronizer.class,
    };

    static boolean isMachinery(Class<?> type) {
        for (Class<?> kind : MACHINERY) if (kind.isAssignableFrom(type)) return true;
        return false;
    }

    /** Interfaces of the JDK whose objects are shown; a null in a field of another interface says nothing. */
    static boolean isDataInterface(Class<?> type) {
        String name = type.getName();
        if (name.startsWith("java.util.function.")) return false;
        if (name.startsWith("java.util.concurrent."))
            return name.endsWith("Map") || name.endsWith("Queue") || name.endsWith("Deque");
        return name.startsWith("java.util.") || name.startsWith("java.time.")
            || type == CharSequence.class || type == Comparable.class || type == java.nio.file.Path.class;
    }

    /** Classes of the JDK that consist of their fields only. */
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

    /** Its empty collections are one shared object. */
    static boolean isPersistent(Class<?> collection) {
        String name = collection.getName();
        return name.startsWith("clojure.lang.") || name.startsWith("scala.collection.immutable.")
            || name.startsWith("java.util.ImmutableCollections$") || name.startsWith("java.util.Collections$Empty");
    }

    /** getSimpleName would make the app's loaders load the enclosing classes, and fails on names of some compilers. */
    static String simpleName(Class<?> type) {
        String name = type.getName();
        int start = Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1;
        while (start < name.length() - 1 && Character.isDigit(name.charAt(start))) start++;
        return name.substring(start);
    }
}
