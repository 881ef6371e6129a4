package substrate.agent.swing;

import java.awt.Window;
import java.lang.ref.WeakReference;
import substrate.agent.screen.Memory;
import substrate.agent.screen.Widget;

/** A component of Swing or AWT, or an item of a menu of AWT. */
final class SwingWidget extends Widget {
    final Kind kind;
    final WeakReference<Window> window;

    SwingWidget(Kind kind, Object component, Memory memory, WeakReference<Window> window) {
        super(kind.role, component, memory);
        this.kind = kind;
        this.window = window;
    }
}
