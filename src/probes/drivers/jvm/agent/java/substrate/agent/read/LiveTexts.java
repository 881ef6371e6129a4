package substrate.agent.read;

import java.net.URL;
import java.nio.charset.Charset;
import java.time.Instant;
import java.time.ZoneId;
import java.util.GregorianCalendar;
import java.util.TimeZone;

import substrate.agent.vm.Vm;

/** Objects of the JDK that are shown as a text which can change. */
final class LiveTexts {
    private static final int MAX_BITS = 1000;
    /** A BitSet with one large number has millions of words, nearly all of them empty. */
    private static final int MAX_WORDS = 1 << 16;
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    abstract static class Reader {
        abstract String text(Object target);
    }

    private LiveTexts() {}

    /** Null if the class is not shown as a text. */
    static Reader of(Vm vm, Class<?> type) {
        if (type == byte[].class) return new Bytes();
        if (type == char[].class) return new Characters();
        if (type == URL.class) return new Address();
        if (TimeZone.class.isAssignableFrom(type)) return new Zone();
        if (Throwable.class.isAssignableFrom(type)) return new Failure(Slot.find(vm, type, "detailMessage"));
        switch (type.getName()) {
            case "java.util.Date":
            case "java.sql.Timestamp":
                return time(Slot.find(vm, type, "fastTime"), Slot.find(vm, type, "nanos"));
            case "java.util.GregorianCalendar": return calendar(vm, type);
            case "java.sql.Date": return localTime(Slot.find(vm, type, "fastTime"), true);
            case "java.sql.Time": return localTime(Slot.find(vm, type, "fastTime"), false);
            case "java.lang.StringBuilder":
            case "java.lang.StringBuffer":
                return builder(vm, type);
            case "java.util.BitSet": return bits(Slot.find(vm, type, "words"), Slot.find(vm, type, "wordsInUse"));
            case "java.awt.Color":
            case "javax.swing.plaf.ColorUIResource":
                return color(Slot.find(vm, type, "value"));
            default: return null;
        }
    }

    /** Names and fractions of other JVM languages; null if the class is none of them. */
    static Reader ofLanguage(Vm vm, Class<?> type) {
        switch (type.getName()) {
            case "clojure.lang.Keyword": return new Word(vm, Slot.find(vm, type, "sym"));
            case "clojure.lang.Symbol": return new Word(vm, null);
            case "clojure.lang.Ratio":
                return fraction(Slot.find(vm, type, "numerator"), Slot.find(vm, type, "denominator"));
            case "scala.Symbol": return part(Slot.find(vm, type, "name"));
            case "groovy.lang.GString":
            case "org.codehaus.groovy.runtime.GStringImpl":
                return template(Slot.find(vm, type, "strings"), Slot.find(vm, type, "values"));
            default: return null;
        }
    }

    /** `:paid`, `:shop/paid` or, for a symbol, `paid`. The key of a map has no colon. */
    static final class Word extends Reader {
        private final Vm vm;
        private final Slot symbol;
        private Slot space;
        private Slot name;

        Word(Vm vm, Slot symbol) {
            this.vm = vm;
            this.symbol = symbol;
        }

        @Override
        String text(Object target) {
            return symbol == null ? key(target) : ':' + key(target);
        }

        String key(Object target) {
            Object word = symbol == null ? target : symbol.get(target);
            if (word == null) return "";
            if (name == null) {
                space = Slot.find(vm, word.getClass(), "ns");
                name = Slot.find(vm, word.getClass(), "name");
            }
            Object around = space == null ? null : space.get(word);
            String own = name == null ? "" : String.valueOf(name.get(word));
            return around == null ? own : around + "/" + own;
        }
    }

    private static Reader fraction(final Slot numerator, final Slot denominator) {
        return numerator == null || denominator == null ? null : new Reader() {
            @Override
            String text(Object target) {
                return Scalars.text(numerator.get(target)) + '/' + Scalars.text(denominator.get(target));
            }
        };
    }

    private static Reader part(final Slot name) {
        return name == null ? null : new Reader() {
            @Override
            String text(Object target) {
                return String.valueOf(name.get(target));
            }
        };
    }

    /** Groovy makes the text at each use. Values that are not scalars would run code for their texts. */
    private static Reader template(final Slot strings, final Slot values) {
        return strings == null || values == null ? null : new Reader() {
            @Override
            String text(Object target) {
                Object[] fixed = (Object[]) strings.get(target);
                Object[] held = (Object[]) values.get(target);
                StringBuilder out = new StringBuilder();
                for (int at = 0; fixed != null && at < fixed.length; at++) {
                    out.append(fixed[at]);
                    Object value = held == null || at >= held.length ? "" : held[at];
                    boolean isPlain = value == null || Scalars.isFixed(value.getClass());
                    out.append(isPlain ? value == null ? "null" : Scalars.text(value) : "…");
                    if (out.length() > Rules.maxText) break;
                }
                return cut(out.substring(0, Math.min(out.length(), Rules.maxText)), out.length());
            }
        };
    }

    private static final class Bytes extends Reader {
        @Override
        String text(Object target) {
            byte[] bytes = (byte[]) target;
            String text = Texts.ofBytes(bytes);
            return text == null ? "[byte[] of " + bytes.length + " bytes]" : text;
        }
    }

    private static final class Characters extends Reader {
        @Override
        String text(Object target) {
            char[] characters = (char[]) target;
            return cut(new String(characters, 0, Math.min(characters.length, Rules.maxText)), characters.length);
        }
    }

    /** URL asks its handler for a text, and handlers can be the app's. */
    private static final class Address extends Reader {
        @Override
        String text(Object target) {
            URL url = (URL) target;
            String authority = url.getAuthority();
            String reference = url.getRef();
            return url.getProtocol() + ':' + (authority == null || authority.isEmpty() ? "" : "//" + authority)
                + url.getFile() + (reference == null ? "" : '#' + reference);
        }
    }

    private static final class Zone extends Reader {
        @Override
        String text(Object target) {
            return ((TimeZone) target).getID();
        }
    }

    private static final class Failure extends Reader {
        private final Slot message;

        Failure(Slot message) {
            this.message = message;
        }

        @Override
        String text(Object target) {
            Object said = message == null ? null : message.get(target);
            return target.getClass().getName() + (said == null ? "" : ": " + said);
        }
    }

    private static Reader time(final Slot millis, final Slot nanos) {
        return millis == null ? null : new Reader() {
            @Override
            String text(Object target) {
                Instant instant = Instant.ofEpochMilli(millis.getLong(target));
                return (nanos == null ? instant : instant.plusNanos(nanos.getInt(target))).toString();
            }
        };
    }

    /**
     * A calendar whose fields were set computes its time when it is called, which would change it: a copy is called.
     */
    private static Reader calendar(Vm vm, Class<?> type) {
        final Slot millis = Slot.find(vm, type, "time");
        final Slot isTimeSet = Slot.find(vm, type, "isTimeSet");
        final Slot zone = Slot.find(vm, type, "zone");
        return millis == null || isTimeSet == null || zone == null ? null : new Reader() {
            @Override
            String text(Object target) {
                Object held = zone.get(target);
                // A time zone class of the app would be called.
                boolean isAsked = Boolean.FALSE.equals(isTimeSet.get(target)) && held != null
                    && held.getClass().getClassLoader() == null;
                return Instant.ofEpochMilli(isAsked ? computed(target) : millis.getLong(target)).toString();
            }
        };
    }

    /** 0 where the fields make no date: it would throw for the app, too. */
    private static long computed(Object calendar) {
        try {
            return ((GregorianCalendar) ((GregorianCalendar) calendar).clone()).getTimeInMillis();
        } catch (IllegalArgumentException noDate) {
            return 0;
        }
    }

    private static Reader localTime(final Slot millis, final boolean isDate) {
        return millis == null ? null : new Reader() {
            @Override
            String text(Object target) {
                Instant instant = Instant.ofEpochMilli(millis.getLong(target));
                java.time.ZonedDateTime time = instant.atZone(ZoneId.systemDefault());
                return isDate ? time.toLocalDate().toString() : time.toLocalTime().withNano(0).toString();
            }
        };
    }

    /** Read from the fields: the methods of StringBuffer take its monitor. */
    private static Reader builder(Vm vm, Class<?> type) {
        final Slot value = Slot.find(vm, type, "value");
        final Slot count = Slot.find(vm, type, "count");
        final Slot coder = Slot.find(vm, type, "coder");
        return value == null || count == null ? null : new Reader() {
            @Override
            String text(Object target) {
                Object units = value.get(target);
                int length = count.getInt(target);
                int shown = Math.min(length, Rules.maxText);
                if (units instanceof char[]) {
                    char[] characters = (char[]) units;
                    return cut(new String(characters, 0, Math.min(shown, characters.length)), length);
                }
                if (!(units instanceof byte[]) || coder == null) return "";
                byte[] bytes = (byte[]) units;
                boolean isWide = coder.getInt(target) != 0;
                int end = Math.min(bytes.length, isWide ? 2 * shown : shown);
                return cut(new String(bytes, 0, end, isWide ? wide() : Charset.forName("ISO-8859-1")), length);
            }
        };
    }

    private static Charset wide() {
        boolean isLittle = java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN;
        return Charset.forName(isLittle ? "UTF-16LE" : "UTF-16BE");
    }

    private static Reader bits(final Slot words, final Slot wordsInUse) {
        return words == null || wordsInUse == null ? null : new Reader() {
            @Override
            String text(Object target) {
                long[] held = (long[]) words.get(target);
                StringBuilder out = new StringBuilder("{");
                int used = held == null ? 0 : Math.min(held.length, wordsInUse.getInt(target));
                // The last used word is never empty.
                boolean isCut = used > MAX_WORDS;
                int shown = 0;
                for (int at = 0; at < used && at < MAX_WORDS && shown <= MAX_BITS; at++)
                    for (long left = held[at]; left != 0 && shown <= MAX_BITS; left &= left - 1) {
                        if (shown++ == MAX_BITS || out.length() > Rules.maxText - 20) {
                            isCut = true;
                            shown = MAX_BITS + 1;
                        } else out.append(shown == 1 ? "" : ", ").append(at * 64 + Long.numberOfTrailingZeros(left));
                    }
                return out.append(!isCut ? "}" : shown == 0 ? "…}" : ", …}").toString();
            }
        };
    }

    private static Reader color(final Slot value) {
        return value == null ? null : new Reader() {
            @Override
            String text(Object target) {
                int argb = value.getInt(target);
                StringBuilder out = new StringBuilder("#");
                for (int shift = 20; shift >= 0; shift -= 4) out.append(HEX[(argb >> shift) & 15]);
                int alpha = argb >>> 24;
                return alpha == 255 ? out.toString() : out.append(HEX[alpha >> 4]).append(HEX[alpha & 15]).toString();
            }
        };
    }

    private static String cut(String text, int length) {
        return text.length() < length ? text + "… [" + length + " characters]" : text;
    }
}
