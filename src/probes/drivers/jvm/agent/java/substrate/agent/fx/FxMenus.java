package substrate.agent.fx;

import java.util.List;
import substrate.agent.screen.Text;
import substrate.agent.screen.Types;

/** Menus and their items, which are not nodes. Runs on the thread of JavaFX. */
final class FxMenus {
    private static final String CONTROL = "javafx.scene.control.";

    private FxMenus() {}

    static void read(FxSnapshot snapshot, List<?> items, FxWidget parent) {
        for (Object item : items) {
            boolean isPlain = Types.isA(item, CONTROL + "MenuItem")
                && !Types.isA(item, CONTROL + "CustomMenuItem");
            if (!isPlain || !Fx.flag(item, "isVisible") || snapshot.isFull()) continue;
            boolean isMenu = Types.isA(item, CONTROL + "Menu");
            FxWidget widget = snapshot.add(isMenu ? FxKind.MENU : FxKind.ITEM, item, parent);
            widget.text = textOf(item);
            widget.fact("name", Fx.text(item, "getId"));
            widget.flag("disabled", Fx.flag(item, "isDisable"));
            if (isMenu) {
                read(snapshot, Fx.list(item, "getItems"), widget);
                continue;
            }
            if (!isTick(item)) continue;
            boolean isOn = Fx.flag(item, "isSelected");
            widget.fact("value", isOn);
            widget.flag("selected", isOn);
            Object group = Fx.get(item, "getToggleGroup");
            if (group != null) widget.fact("group", System.identityHashCode(group) | 1);
        }
    }

    static boolean isTick(Object item) {
        return Types.isA(item, CONTROL + "CheckMenuItem") || Types.isA(item, CONTROL + "RadioMenuItem");
    }

    /** The text of an item or a button: an underscore marks its mnemonic character. */
    static String textOf(Object item) {
        String text = Fx.text(item, "getText");
        boolean isMarked = text != null && text.indexOf('_') >= 0
            && (!Types.isA(item, CONTROL + "Labeled") || Fx.flag(item, "isMnemonicParsing"));
        return Text.plain(isMarked ? text.replaceFirst("_(?!_)", "") : text);
    }

    /** True for the open popup of a menu, which is read with its menu bar. */
    static boolean isOfMenu(Object contextMenu) {
        Object node = Fx.get(contextMenu, "getOwnerNode");
        for (int depth = 0; node != null && depth < 20; depth++) {
            FxKind kind = FxKind.of(node);
            if (kind == FxKind.MENU || kind == FxKind.MENU_BAR) return true;
            node = Fx.get(node, "getParent");
        }
        return false;
    }
}
