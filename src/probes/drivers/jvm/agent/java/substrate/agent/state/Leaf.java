package substrate.agent.state;

import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.Arrays;
import java.util.Collections;
import java.util.regex.Pattern;

import substrate.agent.json.JsonWriter;
import substrate.agent.read.Rules;
import substrate.agent.read.Scalars;
import substrate.agent.read.Texts;

/** The kinds of a leaf's value, and the stored (64 bits, a text) and written form of each. */
final class Leaf {
    static final byte NULL = 0;
    static final byte FALSE = 1;
    static final byte TRUE = 2;
    static final byte WHOLE = 3;
    static final byte DECIMAL = 4;
    static final byte SINGLE = 5;
    /** A String, or an immutable value of the JDK. */
    static final byte TEXT = 6;
    /** A text that is too long to keep: its hash is kept. */
    static final byte LONG_TEXT = 7;
    /** The bits are the hash of the path that shows the object. */
    static final byte REFERENCE = 8;
    /** Only the name of its type is reported; the bits are the hash of that. */
    static final byte SECRET = 9;

    /** The length of a date, a UUID, an address. */
    private static final int SHORT_TEXT = 32;

    private Leaf() {}

    static boolean isSameText(Object former, Object text) {
        return former != null && text != null && Scalars.text(former).equals(Scalars.text(text));
    }

    /** The approximate number of sent characters. Called for each leaf of each walk: it makes no text. */
    static int length(Object text) {
        if (text instanceof String) return Math.min(((String) text).length(), Rules.maxText);
        if (text instanceof BigInteger) return digits((BigInteger) text);
        if (text instanceof BigDecimal) return digits(((BigDecimal) text).unscaledValue());
        // These store their text.
        if (text instanceof URI || text instanceof File || text instanceof Pattern)
            return Math.min(Scalars.text(text).length(), Rules.maxText);
        return SHORT_TEXT;
    }

    private static int digits(BigInteger number) {
        return Math.min(number.bitLength() / 3 + 1, Rules.maxText);
    }

    /** `text` is set for TEXT and LONG_TEXT; for REFERENCE it is the path, for SECRET the type. */
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
            case SECRET:
                JsonWriter.string(out.append("[null,"), (String) text);
                out.append(']');
                break;
            default: JsonWriter.string(out, Texts.cut(Scalars.text(text)));
        }
    }

    /** The value as an object, for callers that need no JSON. */
    static Object value(byte kind, long bits, Object text) {
        switch (kind) {
            case NULL: return null;
            case FALSE: return Boolean.FALSE;
            case TRUE: return Boolean.TRUE;
            case WHOLE: return bits;
            case DECIMAL: return Double.longBitsToDouble(bits);
            case SINGLE: return Float.intBitsToFloat((int) bits);
            case REFERENCE: return Collections.singletonList(text);
            case SECRET: return Arrays.asList(null, text);
            default: return Texts.cut(Scalars.text(text));
        }
    }
}
