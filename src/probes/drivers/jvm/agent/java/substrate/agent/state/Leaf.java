package substrate.agent.state;

import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.Collections;
import java.util.regex.Pattern;

import substrate.agent.json.JsonWriter;
import substrate.agent.read.Scalars;
import substrate.agent.read.Texts;

/** The kinds of a leaf's value, and how each is kept (64 bits, a text) and written. */
final class Leaf {
    static final byte NULL = 0;
    static final byte FALSE = 1;
    static final byte TRUE = 2;
    static final byte WHOLE = 3;
    static final byte DECIMAL = 4;
    static final byte SINGLE = 5;
    /** A String, or a value of the JDK that never changes. */
    static final byte TEXT = 6;
    /** Too long to be kept: its hash is. */
    static final byte LONG_TEXT = 7;
    /** The bits are the hash of the path that shows the object. */
    static final byte REFERENCE = 8;

    /** A date, a UUID, an address. */
    private static final int SHORT_TEXT = 32;

    private Leaf() {}

    static boolean isSameText(Object former, Object text) {
        return former != null && text != null && Scalars.text(former).equals(Scalars.text(text));
    }

    /** About how many characters of a text are sent. Asked for each leaf of each walk: no text is made for it. */
    static int length(Object text) {
        if (text instanceof String) return Math.min(((String) text).length(), Texts.MAX_TEXT);
        if (text instanceof BigInteger) return digits((BigInteger) text);
        if (text instanceof BigDecimal) return digits(((BigDecimal) text).unscaledValue());
        // These hold their text.
        if (text instanceof URI || text instanceof File || text instanceof Pattern)
            return Math.min(Scalars.text(text).length(), Texts.MAX_TEXT);
        return SHORT_TEXT;
    }

    private static int digits(BigInteger number) {
        return Math.min(number.bitLength() / 3 + 1, Texts.MAX_TEXT);
    }

    /** `text`: of TEXT and LONG_TEXT; of REFERENCE the path. */
    static void write(StringBuilder out, byte kind, long bits, Object text) {
        switch (kind) {
            case NULL: out.append("null"); break;
            case FALSE: out.append("false"); break;
            case TRUE: out.append("true"); break;
            case WHOLE: JsonWriter.whole(out, bits); break;
            case DECIMAL: JsonWriter.decimal(out, Double.longBitsToDouble(bits)); break;
            case SINGLE: JsonWriter.decimal(out, Float.intBitsToFloat((int) bits)); break;
            case REFERENCE:
                JsonWriter.string(out.append('['), (String) text);
                out.append(']');
                break;
            default: JsonWriter.string(out, Texts.cut(Scalars.text(text)));
        }
    }

    /** As an object, for those who want no JSON. */
    static Object value(byte kind, long bits, Object text) {
        switch (kind) {
            case NULL: return null;
            case FALSE: return Boolean.FALSE;
            case TRUE: return Boolean.TRUE;
            case WHOLE: return bits;
            case DECIMAL: return Double.longBitsToDouble(bits);
            case SINGLE: return Float.intBitsToFloat((int) bits);
            case REFERENCE: return Collections.singletonList(text);
            default: return Texts.cut(Scalars.text(text));
        }
    }
}
