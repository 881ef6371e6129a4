package substrate.agent.swing;

import java.awt.Window;
import java.lang.ref.WeakReference;

/** What an action works on, as it was when it was listed. */
final class Target {
    enum Deed { PRESS, SET, SUBMIT, CHOOSE, SELECT, EXPAND, COLLAPSE, SET_CELL, CLOSE }

    final Deed deed;
    final Kind kind;
    final WeakReference<Object> component;
    final WeakReference<Window> window;
    /** The words on a button: with others it would be another button. */
    final String text;
    /** For people: `the button "Save"`. */
    final String called;

    Target(Deed deed, Part part, WeakReference<Window> window, String called) {
        this.deed = deed;
        this.kind = part.kind;
        this.component = part.component;
        this.window = window;
        this.text = part.text;
        this.called = called;
    }
}
