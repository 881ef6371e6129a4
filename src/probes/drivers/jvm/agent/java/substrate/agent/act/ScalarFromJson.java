package substrate.agent.act;

import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Currency;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/** Values of one piece, of the JDK: numbers, texts, dates and what else is written as text. */
final class ScalarFromJson {
    private static final int MAX_DIGITS = 1000;
    /** What is written as text, with an example of it. */
    private static final Map<Class<?>, String> WRITTEN = new LinkedHashMap<Class<?>, String>();
    /** The ranges of whole numbers; in the order in which overloads prefer them. */
    private static final Class<?>[] WHOLE = {Integer.class, Long.class, Short.class, Byte.class};

    static {
        WRITTEN.put(LocalDate.class, "a date such as 2024-05-31");
        WRITTEN.put(LocalDateTime.class, "a date and time such as 2024-05-31T18:30:00");
        WRITTEN.put(LocalTime.class, "a time such as 18:30:00");
        WRITTEN.put(Instant.class, "a moment such as 2024-05-31T18:30:00Z");
        WRITTEN.put(Date.class, "a moment such as 2024-05-31T18:30:00Z");
        WRITTEN.put(OffsetDateTime.class, "a moment such as 2024-05-31T18:30:00+02:00");
        WRITTEN.put(ZonedDateTime.class, "a moment such as 2024-05-31T18:30:00+02:00[Europe/Vienna]");
        WRITTEN.put(Duration.class, "a duration such as PT1H30M");
        WRITTEN.put(Period.class, "a period such as P1Y2M3D");
        WRITTEN.put(Year.class, "a year such as 2024");
        WRITTEN.put(YearMonth.class, "a month such as 2024-05");
        WRITTEN.put(ZoneId.class, "a time zone such as Europe/Vienna");
        WRITTEN.put(UUID.class, "a UUID such as 123e4567-e89b-12d3-a456-426614174000");
        WRITTEN.put(URI.class, "an address such as https://example.com/");
        WRITTEN.put(URL.class, "an address such as https://example.com/");
        WRITTEN.put(File.class, "the path of a file");
        WRITTEN.put(Path.class, "the path of a file");
        WRITTEN.put(Locale.class, "a language such as en-GB");
        WRITTEN.put(Currency.class, "a currency such as EUR");
        WRITTEN.put(Charset.class, "an encoding such as UTF-8");
    }

    private ScalarFromJson() {}

    static boolean knows(Class<?> type) {
        Class<?> boxed = boxed(type);
        boolean isText = boxed == String.class || boxed == CharSequence.class || boxed == StringBuilder.class;
        return isText || boxed == Boolean.class || boxed == Character.class || isNumber(boxed) || isOptional(boxed)
            || WRITTEN.containsKey(boxed);
    }

    static boolean isNumber(Class<?> type) {
        Class<?> boxed = boxed(type);
        return wholeRank(boxed) >= 0 || boxed == Double.class || boxed == Float.class || boxed == BigDecimal.class
            || boxed == BigInteger.class;
    }

    static boolean isOptional(Class<?> type) {
        return type == OptionalInt.class || type == OptionalLong.class || type == OptionalDouble.class;
    }

    /** `a date such as 2024-05-31`; null: the type needs no example. */
    static String example(Class<?> type) {
        return WRITTEN.get(type);
    }

    static Plan plan(Object json, Class<?> type, String where) throws BadArgument {
        Class<?> boxed = boxed(type);
        // Overloads: the primitive before its box.
        int box = boxed == type ? 1 : 0;
        Object value = null;
        int cost = box;
        if (isOptional(boxed)) {
            value = optional(json, boxed, where);
            cost = 2;
        } else if (isNumber(boxed)) {
            value = number(json, boxed);
            cost += 2 * numberCost(json, boxed);
        } else if (json instanceof Boolean && boxed == Boolean.class) {
            value = json;
        } else if (json instanceof String) {
            value = fromText((String) json, boxed);
            cost = boxed == String.class ? 0 : boxed == CharSequence.class ? 1 : boxed == Character.class ? 5 : 6;
        } else if (boxed == Date.class && json instanceof Number) {
            value = new Date(((Number) json).longValue());
            cost = 8;
        }
        if (value == null) {
            throw new BadArgument(where + " is " + TypeWords.given(json) + "; expected " + TypeWords.wanted(type));
        }
        return Plan.ready(value, cost);
    }

    private static Object optional(Object json, Class<?> type, String where) throws BadArgument {
        if (type == OptionalInt.class) return OptionalInt.of((Integer) checked(json, Integer.class, where));
        if (type == OptionalLong.class) return OptionalLong.of((Long) checked(json, Long.class, where));
        return OptionalDouble.of((Double) checked(json, Double.class, where));
    }

    static Object empty(Class<?> type) {
        if (type == OptionalInt.class) return OptionalInt.empty();
        return type == OptionalLong.class ? (Object) OptionalLong.empty() : (Object) OptionalDouble.empty();
    }

    private static Object checked(Object json, Class<?> boxed, String where) throws BadArgument {
        Object value = number(json, boxed);
        if (value != null) return value;
        throw new BadArgument(where + " is " + TypeWords.given(json) + "; expected " + TypeWords.wanted(boxed));
    }

    /** A whole number prefers int, long, short, byte, double, float, BigInteger, BigDecimal; a fraction double. */
    private static int numberCost(Object json, Class<?> boxed) {
        if (json instanceof String) return 20;
        boolean isWhole = json instanceof Long || json instanceof Integer;
        int rank = wholeRank(boxed);
        if (rank >= 0) return isWhole ? rank : rank + 10;
        int base = isWhole ? WHOLE.length : 0;
        if (boxed == Double.class) return base;
        if (boxed == Float.class) return base + 1;
        return boxed == BigInteger.class ? base + (isWhole ? 2 : 10) : base + 3;
    }

    private static int wholeRank(Class<?> boxed) {
        for (int rank = 0; rank < WHOLE.length; rank++) if (WHOLE[rank] == boxed) return rank;
        return -1;
    }

    /** Null: it is no number, or none of this range. Text is taken where a JSON number would not be exact. */
    private static Object number(Object json, Class<?> boxed) {
        BigDecimal exact = null;
        if (json instanceof Double || json instanceof Float) {
            double given = ((Number) json).doubleValue();
            if (Double.isNaN(given) || Double.isInfinite(given)) return null;
            if (boxed == Double.class) return given;
            exact = BigDecimal.valueOf(given);
        } else if (json instanceof Number) {
            exact = new BigDecimal(json.toString());
        } else if (json instanceof String && takesText(boxed)) {
            exact = (BigDecimal) decimal((String) json);
        }
        if (exact == null) return null;
        if (boxed == BigDecimal.class) return exact;
        if (boxed == Double.class) return exact.doubleValue();
        if (boxed == Float.class) {
            float narrow = exact.floatValue();
            return Float.isInfinite(narrow) ? null : (Object) narrow;
        }
        return whole(exact, boxed);
    }

    private static boolean takesText(Class<?> boxed) {
        return boxed == Long.class || boxed == BigInteger.class || boxed == BigDecimal.class;
    }

    private static Object whole(BigDecimal exact, Class<?> boxed) {
        // 1e999999999 has few digits and would fill the memory as a whole number.
        if (exact.precision() - (long) exact.scale() > MAX_DIGITS) return null;
        try {
            if (boxed == Integer.class) return exact.intValueExact();
            if (boxed == Long.class) return exact.longValueExact();
            if (boxed == Short.class) return exact.shortValueExact();
            if (boxed == Byte.class) return exact.byteValueExact();
            return exact.toBigIntegerExact();
        } catch (ArithmeticException outOfRange) {
            return null;
        }
    }

    /** Null: the text is no number. */
    static Object decimal(String text) {
        if (text.length() > MAX_DIGITS) return null;
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException noNumber) {
            return null;
        }
    }

    /** Null: the text does not say one. */
    private static Object fromText(String text, Class<?> type) {
        if (type == String.class || type == CharSequence.class) return text;
        if (type == StringBuilder.class) return new StringBuilder(text);
        if (type == Character.class) return text.length() == 1 ? (Object) text.charAt(0) : null;
        try {
            return written(text, type);
        } catch (RuntimeException malformed) {
            return null;
        } catch (java.net.MalformedURLException malformed) {
            return null;
        }
    }

    private static Object written(String text, Class<?> type) throws java.net.MalformedURLException {
        if (type == LocalDate.class) return LocalDate.parse(text);
        if (type == LocalDateTime.class) return LocalDateTime.parse(text);
        if (type == LocalTime.class) return LocalTime.parse(text);
        if (type == Instant.class) return OffsetDateTime.parse(text).toInstant();
        if (type == Date.class) return Date.from(OffsetDateTime.parse(text).toInstant());
        if (type == OffsetDateTime.class) return OffsetDateTime.parse(text);
        if (type == ZonedDateTime.class) return ZonedDateTime.parse(text);
        if (type == Duration.class) return Duration.parse(text);
        if (type == Period.class) return Period.parse(text);
        if (type == Year.class) return Year.parse(text);
        if (type == YearMonth.class) return YearMonth.parse(text);
        if (type == ZoneId.class) return ZoneId.of(text);
        if (type == UUID.class) return UUID.fromString(text);
        if (type == URI.class) return URI.create(text);
        if (type == URL.class) return new URL(text);
        if (type == File.class) return new File(text);
        if (type == Path.class) return Paths.get(text);
        if (type == Locale.class) return new Locale.Builder().setLanguageTag(text).build();
        if (type == Currency.class) return Currency.getInstance(text);
        return type == Charset.class ? Charset.forName(text) : null;
    }

    static Class<?> boxed(Class<?> type) {
        if (!type.isPrimitive()) return type;
        if (type == int.class) return Integer.class;
        if (type == long.class) return Long.class;
        if (type == double.class) return Double.class;
        if (type == boolean.class) return Boolean.class;
        if (type == float.class) return Float.class;
        if (type == char.class) return Character.class;
        if (type == short.class) return Short.class;
        return type == byte.class ? Byte.class : Void.class;
    }
}
