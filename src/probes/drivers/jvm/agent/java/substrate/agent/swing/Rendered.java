package substrate.agent.swing;

import substrate.agent.screen.ObjectNames;
import substrate.agent.screen.Text;

/** Texts that the app's renderers make of values. Runs on the event thread. */
final class Rendered {
    private Rendered() {}

    /** The text that the app's renderer made of a value without a text; otherwise the value of a naming field. */
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
