package substrate.agent.read;

import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Currency;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

/** Objects that are one value. Only for classes of the JDK itself (and enums): their methods run no code of the app. */
public final class Scalars {
    public static final int NONE = 0;
    public static final int WHOLE = 1;
    public static final int DECIMAL = 2;
    public static final int SINGLE = 3;
    public static final int FLAG = 4;
    /** The text is a final part of the object. */
    public static final int TEXT = 5;
    /** Never changes: the same object has the same text. */
    public static final int VALUE = 6;
    /** The text is made at each read. */
    public static final int LIVE = 7;
    /** Not read: its type says that it is a secret. */
    public static final int SECRET = 8;

    private static final int MAX_BITS = 20_000;

    private Scalars() {}

    static int of(Class<?> type) {
        if (type == String.class || type == Character.class || type == Class.class) return TEXT;
        if (type == Integer.class || type == Long.class || type == Short.class || type == Byte.class) return WHOLE;
        if (type == AtomicInteger.class || type == AtomicLong.class || type == LongAdder.class) return WHOLE;
        if (type == Double.class || type == DoubleAdder.class) return DECIMAL;
        if (type == Float.class) return SINGLE;
        if (type == Boolean.class || type == AtomicBoolean.class) return FLAG;
        return isValue(type) ? VALUE : NONE;
    }

    /** One value that stays the same as long as the object lives. */
    static boolean isFixed(Class<?> type) {
        if (Number.class.isAssignableFrom(type) && type.getName().startsWith("java.util.concurrent.")) return false;
        return type != AtomicBoolean.class && of(type) != NONE;
    }

    private static boolean isValue(Class<?> type) {
        return type == BigDecimal.class || type == BigInteger.class || type == UUID.class || type == URI.class
            || type == File.class || type == Currency.class || type == Locale.class || type == Pattern.class
            || type == InetSocketAddress.class || InetAddress.class.isAssignableFrom(type)
            || Charset.class.isAssignableFrom(type) || Path.class.isAssignableFrom(type)
            || type.getName().startsWith("java.time.") && !type.getName().startsWith("java.time.Clock");
    }

    public static long whole(Object value) {
        return ((Number) value).longValue();
    }

    public static boolean flag(Object value) {
        return value instanceof Boolean ? (Boolean) value : ((AtomicBoolean) value).get();
    }

    /** The text of a TEXT or a VALUE. */
    public static String text(Object value) {
        if (value instanceof String) return (String) value;
        if (value instanceof Enum) return ((Enum<?>) value).name();
        if (value instanceof Class) return ((Class<?>) value).getName();
        if (value instanceof Pattern) return ((Pattern) value).pattern();
        if (value instanceof BigInteger) return digits((BigInteger) value, value);
        if (value instanceof BigDecimal) return digits(((BigDecimal) value).unscaledValue(), value);
        return value.toString();
    }

    /** The text of a huge number takes time that grows with the square of its length. */
    private static String digits(BigInteger digits, Object number) {
        if (digits.bitLength() <= MAX_BITS) return number.toString();
        return "[number of " + digits.bitLength() + " bits]";
    }
}
