package substrate.agent.read;

import java.net.URL;
import java.nio.charset.Charset;
import java.time.Instant;
import java.time.ZoneId;
import java.util.TimeZone;

import substrate.agent.vm.Vm;

/** Objects of the JDK that are shown as a text which can change. */
final class LiveTexts {
    private static final int MAX_BITS = 1000;
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    abstract static class Reader {
        abstract String text(Object target);
    }

    private LiveTexts() {}

    /** null: not shown as a text. */
    static Reader of(Vm vm, Class<?> type) {
        if (type == byte[].class) return new Bytes();
        if (type == char[].class) return new Letters();
        if (type == URL.class) return new Address();
        if (TimeZone.class.isAssignableFrom(type)) return new Zone();
        if (Throwable.class.isAssignableFrom(type)) return new Failure(Slot.find(vm, type, "detailMessage"));
        switch (type.getName()) {
            case "java.util.Date":
            case "java.sql.Timestamp":
                return time(Slot.find(vm, type, "fastTime"), Slot.find(vm, type, "nanos"));
            case "java.util.GregorianCalendar": return time(Slot.find(vm, type, "time"), null);
            case "java.sql.Date": return localTime(Slot.find(vm, type, "fastTime"), true);
            case "java.sql.Time": return localTime(Slot.find(vm, type, "fastTime"), false);
            case "java.lang.StringBuilder":
            case "java.lang.StringBuffer":
                return builder(vm, type);
            case "java.util.BitSet": return bits(Slot.find(vm, type, "words"));
            case "java.awt.Color":
            case "javax.swing.plaf.ColorUIResource":
                return color(Slot.find(vm, type, "value"));
            default: return null;
        }
    }

    private static final class Bytes extends Reader {
        @Override
        String text(Object target) {
            return "[byte[] of " + ((byte[]) target).length + " bytes]";
        }
    }

    private static final class Letters extends Reader {
        @Override
        String text(Object target) {
            char[] letters = (char[]) target;
            return cut(new String(letters, 0, Math.min(letters.length, Texts.MAX_TEXT)), letters.length);
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

    /** By its fields: the methods of StringBuffer take its monitor. */
    private static Reader builder(Vm vm, Class<?> type) {
        final Slot value = Slot.find(vm, type, "value");
        final Slot count = Slot.find(vm, type, "count");
        final Slot coder = Slot.find(vm, type, "coder");
        return value == null || count == null ? null : new Reader() {
            @Override
            String text(Object target) {
                Object units = value.get(target);
                int length = count.getInt(target);
                int shown = Math.min(length, Texts.MAX_TEXT);
                if (units instanceof char[]) {
                    char[] letters = (char[]) units;
                    return cut(new String(letters, 0, Math.min(shown, letters.length)), length);
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

    private static Reader bits(final Slot words) {
        return words == null ? null : new Reader() {
            @Override
            String text(Object target) {
                long[] held = (long[]) words.get(target);
                StringBuilder out = new StringBuilder("{");
                int shown = 0;
                for (int at = 0; held != null && at < held.length * 64 && shown < MAX_BITS; at++) {
                    if ((held[at >> 6] & 1L << (at & 63)) == 0) continue;
                    out.append(shown++ == 0 ? "" : ", ").append(at);
                }
                return out.append(shown == MAX_BITS ? ", …}" : "}").toString();
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
