package substrate.agent.swing;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** What was seen of one component; holds nothing of the app but a weak reference. */
final class Part {
    final Kind kind;
    final Part parent;
    final WeakReference<Object> component;
    final Memory memory;
    final List<Part> parts = new ArrayList<Part>(0);
    /** Where it is in its window; of what can be scrolled, where the part of it that is seen is. */
    int x;
    int y;
    int width;
    int height;
    boolean isEnabled = true;
    /** Its own words: of a button, label, menu, or the title of a window. */
    String text;
    /** Set by the app for people who do not see it. */
    String accessible;
    String tip;
    /** Title of the border around it. */
    String border;
    /** Set by the app for itself. */
    String ownName;
    /** The field of the window or panel that holds it. */
    String fieldName;
    /** The app's own class of this component or of a panel close around it. */
    String typeName;
    /** What the app calls the command behind it. */
    String command;
    /** What a text, toggle, slider, … holds. */
    Object value;
    Rows rows;
    /** Minimum and maximum of a number; null: none. */
    String range;
    boolean isEditable;
    boolean hasListener;
    boolean isSelected;
    /** The label that the app itself tied to it. */
    Part label;
    /** Others with this number are of the same group of radio buttons; 0: none. */
    int group;

    Part(Kind kind, Part parent, Object component, Memory memory) {
        this.kind = kind;
        this.parent = parent;
        this.component = new WeakReference<Object>(component);
        this.memory = memory;
    }

    int right() {
        return x + width;
    }

    int bottom() {
        return y + height;
    }
}
