package substrate.agent.swing;

import java.lang.ref.WeakReference;

/** What was seen of one window. */
final class WindowPart {
    final WeakReference<java.awt.Window> window;
    final Memory memory;
    final String className;
    final boolean isDialog;
    final boolean isModal;
    /** A modal dialog keeps everything in it from being used. */
    final boolean isBlocked;
    final boolean isActive;
    final String title;
    /** What it would be called, were it the only one. */
    final String wanted;
    Part content;

    WindowPart(java.awt.Window window, Memory memory, boolean isActive) {
        this.window = new WeakReference<java.awt.Window>(window);
        this.memory = memory;
        this.isActive = isActive;
        className = window.getClass().getName();
        isDialog = window instanceof java.awt.Dialog;
        isModal = isDialog && Windows.isModal(window);
        isBlocked = Windows.isBlocked(window);
        title = Windows.titleOf(window);
        wanted = Windows.nameOf(window);
    }
}
