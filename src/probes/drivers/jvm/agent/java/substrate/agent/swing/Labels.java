package substrate.agent.swing;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which label names which field: the one that the app tied to it, else the one that stands beside or above it. */
final class Labels {
    private static final int MAX_GAP_AFTER_COLON = 250;
    private static final int MAX_GAP_LEFT = 60;
    private static final int MAX_GAP_ABOVE = 28;
    private static final int MAX_SHIFT = 60;
    private static final int MAX_WORDS = 6;

    private final Map<Part, Part> names = new HashMap<Part, Part>();
    private final Set<Part> used = new HashSet<Part>();

    Labels(Area area) {
        for (Part field : area.fields) tie(field, tied(field));
        for (Part field : area.fields) {
            if (names.containsKey(field) || hasOwnWords(area, field)) continue;
            Part left = isLarge(field) ? null : nearestLeft(area, field);
            tie(field, left != null ? left : nearestAbove(area, field));
        }
        // Of what is left, one label may name the text of the next.
        for (Part label : area.labels) {
            if (used.contains(label) || label.text.isEmpty() || names.containsKey(label)) continue;
            Part left = nearestLeft(area, label);
            if (left != null && left.text.trim().endsWith(":") && !names.containsKey(left)) tie(label, left);
        }
    }

    /** Null: none. */
    String of(Part field) {
        Part label = names.get(field);
        return label == null ? null : label.text;
    }

    boolean isUsed(Part label) {
        return used.contains(label);
    }

    private void tie(Part field, Part label) {
        if (label == null) return;
        names.put(field, label);
        used.add(label);
    }

    /** A label may be tied to the pane in which the field scrolls. */
    private static Part tied(Part field) {
        if (field.label != null) return field.label;
        for (Part at = field.parent; at != null && at.kind == Kind.SCROLL; at = at.parent)
            if (at.label != null) return at.label;
        return null;
    }

    private static boolean hasOwnWords(Area area, Part field) {
        if (field.accessible != null) return true;
        boolean isNamedByItself = field.kind.isToggle() || field.kind == Kind.RADIO && area.radiosOf(field) == null;
        return isNamedByItself && field.text != null && !Names.toName(field.text).isEmpty();
    }

    private static boolean isLarge(Part field) {
        return field.kind == Kind.TABLE || field.kind == Kind.TREE || field.kind == Kind.LIST
            || field.kind == Kind.TABS;
    }

    /** Without a colon it must stand close. */
    private Part nearestLeft(Area area, Part field) {
        Part best = null;
        for (Part label : area.labels) {
            if (label == field || label.text.isEmpty()) continue;
            int middle = label.y + label.height / 2;
            int gap = field.x - label.right();
            boolean isBeside = middle >= field.y - 4 && middle <= field.bottom() + 4 && gap >= -4;
            if (isBeside && (best == null || label.right() > best.right())) best = label;
        }
        if (best == null || !isFree(best)) return null;
        int maxGap = best.text.trim().endsWith(":") ? MAX_GAP_AFTER_COLON : MAX_GAP_LEFT;
        if (field.x - best.right() > maxGap) return null;
        return isBetween(area.fields, best, field) || isBetween(area.buttons, best, field) ? null : best;
    }

    private Part nearestAbove(Area area, Part field) {
        Part best = null;
        for (Part label : area.labels) {
            if (!isFree(label)) continue;
            int gap = field.y - label.bottom();
            boolean isOver = Math.abs(label.x - field.x) <= MAX_SHIFT && gap >= -4 && gap <= MAX_GAP_ABOVE;
            if (isOver && (best == null || label.bottom() > best.bottom())) best = label;
        }
        return best;
    }

    private boolean isFree(Part label) {
        return !used.contains(label) && looksLikeName(label.text.trim());
    }

    /** `Total: 42` says its value itself, and a sentence names nothing. */
    private static boolean looksLikeName(String text) {
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean isInside = at + 1 < text.length();
            if (Character.isDigit(c) || c == '!' || (isInside && (c == ':' || c == '\n'))) return false;
        }
        return !Names.toName(text).isEmpty() && Names.wordsOf(text).size() <= MAX_WORDS;
    }

    private static boolean isBetween(List<Part> parts, Part left, Part right) {
        int middle = left.y + left.height / 2;
        for (Part part : parts) {
            boolean isInRow = part.y <= middle && part.bottom() >= middle;
            if (part != right && isInRow && part.x >= left.right() - 4 && part.right() <= right.x + 4) return true;
        }
        return false;
    }
}
