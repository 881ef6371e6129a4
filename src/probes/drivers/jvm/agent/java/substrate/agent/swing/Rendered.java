package substrate.agent.swing;

import substrate.agent.screen.ObjectNames;
import substrate.agent.screen.Text;

/** Texts that the renderers of the app make of values. Runs on the event thread. */
final class Rendered {
    private Rendered() {}

    /** What a renderer of the app made of a value that has no text; else what it is called in a field of its own. */
    static Object by(java.awt.Component renderer, Object value) {
        Object shown = shownBy(renderer);
        boolean isText = shown != null && !shown.equals("") && !ObjectNames.isDefault(shown, value);
        return isText || value == null ? shown : ObjectNames.of(value);
    }

    private static Object shownBy(java.awt.Component renderer) {
        if (renderer instanceof javax.swing.AbstractButton) return ControlReader.buttonText(renderer);
        if (renderer instanceof javax.swing.JLabel) return Text.plain(((javax.swing.JLabel) renderer).getText());
        return renderer == null ? null : ListRows.firstLabel(renderer, 0);
    }
}
