package substrate.agent.swing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a person would call each part of an area. */
final class PartNames {
    private static final int MAX_TIP_WORDS = 5;
    private final Area area;
    private final Labels labels;
    private final Map<Part, String> given = new HashMap<Part, String>();

    PartNames(Area area, Labels labels, Names.Book book) {
        this.area = area;
        this.labels = labels;
        Map<String, Integer> counts = new HashMap<String, Integer>();
        Map<Part, String> wanted = new HashMap<Part, String>();
        for (Part field : area.fields) {
            String name = wantedFor(field);
            wanted.put(field, name);
            Integer count = counts.get(name);
            counts.put(name, count == null ? 1 : count + 1);
        }
        for (Part field : area.fields) {
            String name = wanted.get(field);
            String section = counts.get(name) > 1 ? Names.toName(area.sectionOf(field)) : "";
            boolean says = !section.isEmpty() && !name.startsWith(section);
            given.put(field, book.take(says ? section + "_" + name : name, field.memory));
        }
    }

    String of(Part field) {
        return given.get(field);
    }

    /** What people call it, for descriptions. */
    String titleOf(Part field) {
        String label = labels.of(field);
        String title = first(label, field.accessible, field.kind.isToggle() ? field.text : null);
        while (title.endsWith(":")) title = title.substring(0, title.length() - 1).trim();
        return title.isEmpty() ? of(field) : title;
    }

    private String wantedFor(Part field) {
        String label = Names.toName(labels.of(field));
        if (!label.isEmpty()) return label;
        if (field.kind.isToggle() || (field.kind == Kind.RADIO && area.radiosOf(field) == null))
            return ofButton(field, "option");
        String name = firstName(field.accessible, borderOf(field), shortTip(field), field.ownName);
        if (name.isEmpty()) name = Names.ofField(field.fieldName);
        if (name.isEmpty()) name = Names.ofField(field.typeName);
        return name.isEmpty() ? kindName(field.kind) : name;
    }

    /** Of something with words on it. */
    static String ofButton(Part button, String otherwise) {
        String name =
            firstName(button.accessible, button.text, withoutKeys(button.tip), button.command, button.ownName);
        if (name.isEmpty()) name = Names.ofField(button.fieldName);
        return name.isEmpty() ? otherwise : name;
    }

    /** The title of a border around this field alone. */
    private String borderOf(Part field) {
        String section = area.sectionOf(field);
        if (section.isEmpty()) return null;
        List<Part> radios = area.radiosOf(field);
        for (Part other : area.fields) {
            boolean isSame = other == field || (radios != null && radios.contains(other));
            if (!isSame && section.equals(area.sectionOf(other))) return null;
        }
        return section;
    }

    /** One that is a name: no sentence, no path, and not what the field holds. */
    static String shortTip(Part part) {
        String tip = withoutKeys(part.tip);
        if (tip == null || tip.indexOf('/') >= 0 || tip.indexOf('\\') >= 0 || tip.equals(part.value)) return null;
        return Names.wordsOf(tip).size() <= MAX_TIP_WORDS ? tip : null;
    }

    /** `Cut (Ctrl+X)` is `Cut`. */
    static String withoutKeys(String tip) {
        int open = tip == null ? -1 : tip.lastIndexOf('(');
        return open > 0 && tip.trim().endsWith(")") ? tip.substring(0, open).trim() : tip;
    }

    static String firstName(String... texts) {
        for (String text : texts) {
            String name = Names.toName(text);
            if (!name.isEmpty()) return name;
        }
        return "";
    }

    private static String first(String... texts) {
        for (String text : texts) if (text != null && !text.trim().isEmpty()) return text.trim();
        return "";
    }

    private static String kindName(Kind kind) {
        switch (kind) {
            case AWT_TEXT: return "text";
            case AWT_CHOICE: case COMBO: case RADIO: return "choice";
            case AWT_LIST: return "list";
            case TABS: return "tab";
            default: return kind.name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
