package substrate.agent.swing;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** From texts that people read to names that programs use. Gives the same names as those of web pages. */
final class Names {
    private static final int MAX_NAME = 40;
    private static final int MAX_WORDS = 6;
    /** In the names of fields: what the component is, not what it holds. */
    private static final Set<String> TYPE_WORDS = words(
        "field text textfield label box combo combobox check checkbox button btn area textarea table list "
            + "tree spinner slider pane panel component input editor view bar radio toggle password progress "
            + "lbl txt tf cb chk cmb cbo tbl lst spn rb fld j m my the scroll tabbed formatted menu item choice "
            + "model");

    private Names() {}

    private static Set<String> words(String text) {
        return new HashSet<String>(Arrays.asList(text.split(" ")));
    }

    /** `Recipient's e-mail *` is `recipients_e_mail`; empty when the text has neither letter nor digit. */
    static String toName(String text) {
        StringBuilder name = new StringBuilder();
        int count = 0;
        for (String word : wordsOf(text)) {
            if (++count > MAX_WORDS) break;
            String part = name.length() == 0 && word.length() > MAX_NAME ? word.substring(0, MAX_NAME) : word;
            if (name.length() + part.length() + 1 > MAX_NAME + 1) break;
            if (name.length() > 0) name.append('_');
            name.append(part);
        }
        if (name.length() > 0 && Character.isDigit(name.charAt(0))) name.insert(0, '_');
        return name.toString();
    }

    static List<String> wordsOf(String text) {
        List<String> words = new ArrayList<String>();
        if (text == null || text.isEmpty()) return words;
        String plain = withoutAccents(text.trim());
        // Only what is written without spaces can be camelCase.
        boolean isOneWord = plain.indexOf(' ') < 0;
        StringBuilder word = new StringBuilder();
        for (int at = 0; at < plain.length(); at++) {
            char c = plain.charAt(at);
            if (c == '\'' || c == '\u2019') continue;
            if (!Character.isLetterOrDigit(c)) end(words, word);
            else {
                if (isOneWord && Character.isUpperCase(c) && startsWord(plain, at)) end(words, word);
                word.append(c);
            }
        }
        end(words, word);
        return words;
    }

    private static boolean startsWord(String text, int at) {
        if (at == 0) return false;
        char before = text.charAt(at - 1);
        if (Character.isLowerCase(before) || Character.isDigit(before)) return true;
        return Character.isUpperCase(before) && at + 1 < text.length() && Character.isLowerCase(text.charAt(at + 1));
    }

    private static void end(List<String> words, StringBuilder word) {
        if (word.length() > 0) words.add(word.toString().toLowerCase(Locale.ROOT));
        word.setLength(0);
    }

    private static String withoutAccents(String text) {
        boolean isPlain = true;
        for (int at = 0; at < text.length() && isPlain; at++) isPlain = text.charAt(at) < 128;
        if (isPlain) return text;
        String parted = Normalizer.normalize(text, Normalizer.Form.NFKD);
        StringBuilder out = new StringBuilder();
        for (int at = 0; at < parted.length(); at++) {
            char c = parted.charAt(at);
            if (c < '\u0300' || c > '\u036f') out.append(c);
        }
        return Normalizer.normalize(out, Normalizer.Form.NFC);
    }

    /** `amountField` and `txtAmount` are `amount`; `jTextField1` says nothing. */
    static String ofField(String fieldName) {
        List<String> words = wordsOf(fieldName);
        int from = 0;
        int to = words.size();
        while (to > from && isTypeWord(words.get(to - 1))) to--;
        while (from < to && isTypeWord(words.get(from))) from++;
        StringBuilder name = new StringBuilder();
        for (String word : words.subList(from, to)) name.append(name.length() > 0 ? " " : "").append(word);
        return toName(name.toString());
    }

    private static boolean isTypeWord(String word) {
        int end = word.length();
        while (end > 0 && Character.isDigit(word.charAt(end - 1))) end--;
        return end == 0 || TYPE_WORDS.contains(word.substring(0, end));
    }

    static String shorten(String text, int limit) {
        return text.length() > limit ? text.substring(0, limit) + "…" : text;
    }

    /** Hands out each name once: the second of two alike gets `_2`. */
    static final class Book {
        private final Set<String> taken = new HashSet<String>();

        String take(String wanted) {
            String name = wanted;
            for (int number = 2; !taken.add(name); number++) name = wanted + "_" + number;
            return name;
        }

        /** The same as at the last look, where that is free. */
        String take(String wanted, Memory memory) {
            boolean isKept = wanted.equals(memory.wanted) && taken.add(memory.given);
            if (!isKept) {
                memory.given = take(wanted);
                memory.wanted = wanted;
            }
            return memory.given;
        }
    }
}
