package substrate.agent.fx;

import java.lang.ref.WeakReference;
import substrate.agent.screen.Memory;
import substrate.agent.screen.Widget;

/** A node of JavaFX, or an item of a menu. */
final class FxWidget extends Widget {
    final FxKind kind;
    final WeakReference<Object> window;
    /** The position in the scene. */
    int left;
    int top;

    FxWidget(FxKind kind, Object node, Memory memory, WeakReference<Object> window) {
        this(kind.role, kind, node, memory, window);
    }

    FxWidget(String role, FxKind kind, Object node, Memory memory, WeakReference<Object> window) {
        super(role, node, memory);
        this.kind = kind;
        this.window = window;
    }
}
