package substrate.agent.swing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import substrate.agent.act.ActionInfo;
import substrate.agent.act.Parameter;
import substrate.agent.swing.Target.Deed;

/** What can be done in the windows: one action for each control that can be used now. */
final class ActionList {
    private static final int MAX_ACTIONS = 600;
    private static final int MAX_MENU_ITEMS = 300;
    private static final int MAX_TEXT = 60;
    private static final int MAX_OPTIONS_TEXT = 800;

    final List<ActionInfo> actions = new ArrayList<ActionInfo>();
    final Map<String, Target> targets = new HashMap<String, Target>();
    private final Names.Book book = new Names.Book();
    private final List<ActionInfo> menus = new ArrayList<ActionInfo>();
    private WindowPart window;

    /** Between `begin` and `end` the areas of one window are added. */
    void begin(WindowPart newWindow) {
        window = newWindow;
        menus.clear();
    }

    void end(String prefix) {
        actions.addAll(menus);
        Part content = window.content;
        if (window.isBlocked) return;
        String called = "the window \"" + Names.shorten(window.title, MAX_TEXT) + "\"";
        add(actions, Deed.CLOSE, content, prefix + ".close_window", called, "unknown", "Asks " + called + " to close",
            Collections.<Parameter>emptyList());
    }

    void addArea(String prefix, Area area, PartNames names) {
        if (window.isBlocked) return;
        for (Part field : area.fields) addField(prefix, area, field, names.of(field), names.titleOf(field));
        for (Part button : area.buttons) addButton(prefix, area, button);
        for (Part menu : area.menus) {
            String name = menu.kind == Kind.POPUP ? "popup" : PartNames.ofButton(menu, "menu");
            addMenu(prefix + "." + name, menu.text == null ? "" : menu.text, menu);
        }
    }

    private void addButton(String prefix, Area area, Part button) {
        String name = PartNames.ofButton(button, "");
        if (!button.isEnabled || name.isEmpty()) return;
        String words = wordsOn(button);
        String section = area.sectionOf(button);
        String where = section.isEmpty() ? "" : " in \"" + Names.shorten(section, MAX_TEXT) + "\"";
        String called = "the button \"" + words + "\"";
        add(actions, Deed.PRESS, button, prefix + "." + name, called,
            Consequences.ofButton(button.text, button.accessible, PartNames.withoutKeys(button.tip), button.command),
            "Button \"" + words + "\"" + where, Collections.<Parameter>emptyList());
    }

    private static String wordsOn(Part button) {
        String[] texts = {button.text, button.accessible, button.tip, button.command, button.ownName, button.fieldName};
        for (String text : texts)
            if (text != null && !text.trim().isEmpty()) return Names.shorten(text.trim(), MAX_TEXT);
        return "";
    }

    private void addMenu(String prefix, String way, Part menu) {
        if (!menu.isEnabled) return;
        for (Part item : menu.parts) {
            String name = PartNames.ofButton(item, "");
            if (!item.isEnabled || name.isEmpty() || menus.size() >= MAX_MENU_ITEMS) continue;
            String words = way.isEmpty() ? wordsOn(item) : way + " > " + wordsOn(item);
            if (item.kind == Kind.MENU) addMenu(prefix + "." + name, words, item);
            else if (item.kind.isMenuItem()) {
                String effect = AreaRecord.isTick(item)
                    ? Consequences.ofToggle(item.text, item.tip)
                    : Consequences.ofButton(item.text, PartNames.withoutKeys(item.tip));
                add(menus, Deed.PRESS, item, prefix + "." + name, "the menu item \"" + words + "\"", effect,
                    "Menu item \"" + words + "\"", Collections.<Parameter>emptyList());
            }
        }
    }

    private void addField(String prefix, Area area, Part field, String name, String title) {
        List<Part> radios = area.radiosOf(field);
        if (!field.isEnabled && radios == null) return;
        String called = "\"" + Names.shorten(title, MAX_TEXT) + "\"";
        String set = prefix + ".set_" + name;
        String select = prefix + ".select_" + name;
        switch (field.kind) {
            case TEXT: case PASSWORD: case AWT_TEXT:
                if (!field.isEditable) return;
                add(actions, Deed.SET, field, set, called, "setter", "Sets the field " + called, value("string", null));
                if (field.hasListener)
                    add(actions, Deed.SUBMIT, field, prefix + ".submit_" + name, called, "unknown",
                        "Presses Enter in the field " + called, Collections.<Parameter>emptyList());
                return;
            case SLIDER: case SPINNER:
                boolean isNumber = field.value instanceof Number;
                add(actions, Deed.SET, field, set, called, "setter", "Sets " + called,
                    value(isNumber ? "number" : "string", field.range));
                return;
            case CHECK: case TOGGLE: case AWT_CHECK: case RADIO:
                if (radios != null) addRadios(set, radios, called);
                else if (field.kind == Kind.RADIO || field.group != 0)
                    add(actions, Deed.PRESS, field, select, called, Consequences.ofToggle(field.text, field.tip),
                        "Selects " + called, Collections.<Parameter>emptyList());
                else
                    add(actions, Deed.SET, field, set, called, Consequences.ofToggle(field.text, field.tip),
                        "Switches " + called + " on or off", value("boolean", null));
                return;
            case COMBO: case AWT_CHOICE: case TABS:
                if (field.rows == null || (field.rows.total == 0 && !field.rows.isEditable)) return;
                add(actions, Deed.CHOOSE, field, select, called, "setter",
                    (field.kind == Kind.TABS ? "Shows a tab of " : "Chooses in ") + called,
                    value("string", options(field.rows.shown, field.rows.total, field.rows.isEditable)));
                return;
            case LIST: case AWT_LIST: case TABLE: case TREE:
                addRows(prefix, name, field, called);
                return;
            default:
        }
    }

    private void addRadios(String name, List<Part> radios, String called) {
        List<Object> texts = new ArrayList<Object>();
        String[] words = new String[radios.size()];
        for (int at = 0; at < words.length; at++) texts.add(words[at] = radios.get(at).text);
        add(actions, Deed.CHOOSE, radios.get(0), name, called, Consequences.ofToggle(words), "Chooses in " + called,
            value("string", options(texts, texts.size(), false)));
    }

    private void addRows(String prefix, String name, Part field, String called) {
        Rows rows = field.rows;
        if (rows == null || rows.total == 0) return;
        String range = rows.total == 1 ? "0" : "0 to " + (rows.total - 1);
        List<Parameter> index =
            Collections.singletonList(new Parameter("index", "number", true, range + ", as in its rows"));
        add(actions, Deed.SELECT, field, prefix + ".select_" + name, called, "setter",
            "Selects a row of " + called, index);
        if (field.kind == Kind.TREE) {
            add(actions, Deed.EXPAND, field, prefix + ".expand_" + name, called, "setter",
                "Unfolds a row of " + called, index);
            add(actions, Deed.COLLAPSE, field, prefix + ".collapse_" + name, called, "setter",
                "Folds a row of " + called, index);
        }
        if (field.kind != Kind.TABLE || !rows.isEditable) return;
        List<Object> columns = new ArrayList<Object>();
        Collections.addAll(columns, (Object[]) rows.columns);
        List<Parameter> cell = new ArrayList<Parameter>();
        cell.add(new Parameter("row", "number", true, range));
        cell.add(new Parameter("column", "string", true, options(columns, columns.size(), false)));
        cell.add(new Parameter("value", null, true, null));
        add(actions, Deed.SET_CELL, field, prefix + ".set_" + name + "_cell", called, "setter",
            "Writes a cell of " + called, cell);
    }

    private static List<Parameter> value(String type, String description) {
        return Collections.singletonList(new Parameter("value", type, true, description));
    }

    /** `one of: Lyon | Oslo | … and 200 more` */
    private static String options(List<Object> texts, int total, boolean isOpen) {
        StringBuilder out = new StringBuilder(isOpen ? "any text, or one of: " : "one of: ");
        int shown = 0;
        for (Object text : texts) {
            String word = Names.shorten(String.valueOf(text), MAX_TEXT);
            if (out.length() + word.length() > MAX_OPTIONS_TEXT) break;
            out.append(shown++ > 0 ? " | " : "").append(word);
        }
        if (shown < total) out.append(" | … and ").append(total - shown).append(" more");
        return out.toString();
    }

    private void add(List<ActionInfo> to, Deed deed, Part part, String wanted, String called, String effect,
        String description, List<Parameter> parameters) {
        if (actions.size() + menus.size() >= MAX_ACTIONS) return;
        String name = book.take(wanted);
        String binding = SwingUi.SCHEME + name;
        targets.put(binding, new Target(deed, part, window.window, called));
        to.add(new ActionInfo(binding, name, parameters, "void", effect, description));
    }
}
