package substrate.agent.swing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parts of a window, or of a window inside of it, by what they are to a person. */
final class Area {
    /** What holds a value, in the order of the window; of a group of radio buttons only the first. */
    final List<Part> fields = new ArrayList<Part>();
    final List<Part> buttons = new ArrayList<Part>();
    final List<Part> labels = new ArrayList<Part>();
    final List<Part> menus = new ArrayList<Part>();
    final List<Part> inner = new ArrayList<Part>();
    final Map<Integer, List<Part>> radios = new LinkedHashMap<Integer, List<Part>>();
    /** Title of the border or tab around a part. */
    final Map<Part, String> sections = new HashMap<Part, String>();
    /** Of a dialog that only says or asks something. */
    String message;

    Area(Part content) {
        visit(content, "");
        for (List<Part> radiosOfGroup : radios.values())
            fields.removeAll(radiosOfGroup.subList(1, radiosOfGroup.size()));
        if (message != null) removeMessage();
    }

    private void visit(Part part, String around) {
        String section = part.border != null && !part.border.trim().isEmpty() ? part.border : around;
        for (Part child : part.parts) {
            add(child, section);
            boolean isInner = child.kind == Kind.INTERNAL_FRAME || child.kind == Kind.MENU || child.kind == Kind.POPUP;
            Rows tabs = child.kind == Kind.TABS ? child.rows : null;
            if (!isInner)
                visit(child, tabs != null && tabs.selectedValue != null ? tabs.selectedValue.toString() : section);
        }
    }

    private void add(Part part, String section) {
        if (!section.isEmpty()) sections.put(part, section);
        if (part.kind == Kind.OPTION_PANE && part.text != null) message = part.text;
        if (part.kind == Kind.INTERNAL_FRAME) inner.add(part);
        else if (part.kind == Kind.MENU || part.kind == Kind.POPUP) menus.add(part);
        else if (part.kind.isButton()) buttons.add(part);
        else if (part.kind.isLabel()) labels.add(part);
        else if (part.kind.isField()) {
            fields.add(part);
            if (part.kind == Kind.RADIO && part.group != 0) addRadio(part);
        }
    }

    private void addRadio(Part part) {
        List<Part> group = radios.get(part.group);
        if (group == null) radios.put(part.group, group = new ArrayList<Part>());
        group.add(part);
    }

    /** Its lines are labels, too. */
    private void removeMessage() {
        for (int at = labels.size() - 1; at >= 0; at--) if (message.contains(labels.get(at).text)) labels.remove(at);
    }

    /** Null: not one of a group. */
    List<Part> radiosOf(Part part) {
        List<Part> group = part.kind == Kind.RADIO ? radios.get(part.group) : null;
        return group != null && group.size() > 1 ? group : null;
    }

    String sectionOf(Part part) {
        String section = sections.get(part);
        return section == null ? "" : section;
    }
}
