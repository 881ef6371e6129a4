package substrate.agent.swing;

import java.util.ArrayList;
import java.util.List;
import substrate.agent.read.Record;

/** The values of an area under their names. */
final class AreaRecord {
    private static final int MAX_OPTIONS = 30;
    private static final int MAX_TEXTS = 200;

    private AreaRecord() {}

    static void fill(Record record, Area area, PartNames names, Labels labels, Names.Book book) {
        if (area.message != null) record.put("message", area.message);
        for (Part field : area.fields) record.put(names.of(field), valueOf(area, field));
        addTexts(record, area, labels, book);
        for (Part menu : area.menus) addChecked(record, menu, book);
    }

    private static Object valueOf(Area area, Part field) {
        List<Part> radios = area.radiosOf(field);
        if (radios != null) return radioRecord(radios);
        Rows rows = field.rows;
        switch (field.kind) {
            case COMBO: case AWT_CHOICE:
                return rows == null ? null : choiceRecord(rows);
            case TABS:
                return rows == null ? null : rows.selectedValue;
            case LIST: case AWT_LIST: case TREE: case TABLE:
                return rows == null ? null : rowsRecord(rows);
            default:
                return field.value;
        }
    }

    private static Record radioRecord(List<Part> radios) {
        Object[] options = new Object[radios.size()];
        Object value = null;
        for (int at = 0; at < options.length; at++) {
            options[at] = radios.get(at).text;
            if (radios.get(at).isSelected) value = options[at];
        }
        return new Record().put("value", value).put("options", options);
    }

    private static Record choiceRecord(Rows rows) {
        Record record = new Record().put("value", rows.selectedValue);
        return rows.total <= MAX_OPTIONS ? record.put("options", rows.shown.toArray()) : record;
    }

    private static Record rowsRecord(Rows rows) {
        Record record = new Record();
        if (rows.columns == null) record.put("selected", rows.selectedValue);
        record.put("selected_row", rows.selected < 0 ? null : Integer.valueOf(rows.selected));
        if (rows.alsoSelected.size() > 1) record.put("selected_rows", rows.alsoSelected.toArray());
        Object[] shown = rows.shown.toArray();
        if (rows.columns != null) {
            for (int at = 0; at < shown.length; at++) shown[at] = rowRecord(rows.columns, (Object[]) shown[at]);
        }
        record.put("rows", shown);
        // Those that are not read are counted.
        return shown.length < rows.total ? record.put("row_count", Integer.valueOf(rows.total)) : record;
    }

    private static Record rowRecord(String[] columns, Object[] cells) {
        Record record = new Record();
        for (int at = 0; at < columns.length && at < cells.length; at++) record.put(columns[at], cells[at]);
        return record;
    }

    /** Labels that name nothing: under their own name if they have one, else one after another. */
    private static void addTexts(Record record, Area area, Labels labels, Names.Book book) {
        List<Object> texts = new ArrayList<Object>();
        for (Part label : area.labels) {
            String text = label.text.trim();
            if (Names.toName(text).isEmpty() || labels.isUsed(label)) continue;
            int colon = text.indexOf(": ");
            boolean isPair = colon > 0 && colon <= 40 && text.indexOf('\n') < 0;
            String name = Names.toName(labels.of(label));
            if (name.isEmpty()) name = PartNames.firstName(label.accessible, label.ownName);
            if (name.isEmpty()) name = Names.ofField(label.fieldName);
            // What a letter stands for is told by its tip.
            boolean isSign = text.length() <= 2 && label.tip != null;
            if (name.isEmpty() && !isSign) name = Names.toName(PartNames.shortTip(label));
            if (name.isEmpty() && isPair) name = Names.toName(text.substring(0, colon));
            if (name.isEmpty()) {
                if (texts.size() < MAX_TEXTS) texts.add(isSign ? PartNames.withoutKeys(label.tip) + ": " + text : text);
            } else {
                boolean isOwn = isPair && name.equals(Names.toName(text.substring(0, colon)));
                record.put(book.take(name, label.memory),
                    Text.toValue(isOwn ? text.substring(colon + 2).trim() : text));
            }
        }
        if (!texts.isEmpty()) record.put(book.take("texts"), texts.toArray());
    }

    /** What is ticked in a menu is state, the rest of it is what can be done. */
    private static void addChecked(Record record, Part menu, Names.Book book) {
        Object ticks = checked(menu);
        if (ticks != null) record.put(book.take(PartNames.ofButton(menu, "menu")), ticks);
    }

    static boolean isTick(Part item) {
        return item.kind == Kind.CHECK_ITEM || (item.kind == Kind.AWT_MENU_ITEM && item.value != null);
    }

    /** Null: nothing. A menu of which one item is chosen is the text of that item. */
    private static Object checked(Part menu) {
        Record ticks = new Record();
        Names.Book book = new Names.Book();
        int group = -1;
        String chosen = null;
        for (Part item : menu.parts) {
            String name = PartNames.ofButton(item, item.kind == Kind.MENU ? "menu" : "");
            boolean isTick = isTick(item);
            Object value = item.kind == Kind.MENU ? checked(item) : isTick ? item.value : null;
            if (value == null || name.isEmpty()) continue;
            ticks.put(book.take(name), value);
            group = !isTick || (group != -1 && group != item.group) ? 0 : item.group;
            if (item.isSelected) chosen = item.text;
        }
        if (ticks.size() == 0) return null;
        return group > 0 && ticks.size() > 1 ? chosen : ticks;
    }
}
