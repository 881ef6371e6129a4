using System.Collections;
using static Substrate.Forms.Property;

namespace Substrate.Forms
{
    // Reads the items of menus, tool bars and status bars, which are not controls. Runs on the window's thread.
    static class ItemReader
    {
        // True if the item is on the strip or menu, visible or in its overflow.
        internal static bool IsThere(object item) =>
            Flag(item, "ToolStripItem.Available") || Flag(item, "MenuItem.Visible");

        internal static bool IsEnabled(object item) =>
            Flag(item, "ToolStripItem.Enabled") || Flag(item, "MenuItem.Enabled");

        internal static string WordsOf(object item) =>
            Words.WithoutMnemonic(Text(item, "ToolStripItem.Text") ?? Text(item, "MenuItem.Text")) ?? "";

        // The list of a menu without items is not created.
        internal static IList ItemsOf(object menu)
        {
            bool hasItems = Flag(menu, "ToolStripDropDownItem.HasDropDownItems");
            return hasItems ? List(menu, "ToolStripDropDownItem.DropDownItems") : List(menu, "Menu.MenuItems");
        }

        internal static bool IsTicked(object item) =>
            Flag(item, "ToolStripMenuItem.Checked") || Flag(item, "ToolStripButton.Checked")
                || Flag(item, "MenuItem.Checked");

        internal static bool IsSplit(object item) => Library.IsOf("ToolStripSplitButton", item);

        internal static Kind KindOf(object item, bool isOnStrip, Memory memory)
        {
            Kind kind = Kinds.Of(item);
            if (kind != Kind.Button && kind != Kind.Menu) return kind;
            IList items = kind == Kind.Menu ? ItemsOf(item) : null;
            if (items != null && items.Count > 0) return kind;
            bool ticks = Flag(item, "ToolStripButton.CheckOnClick") || Flag(item, "ToolStripMenuItem.CheckOnClick");
            memory.IsTick |= ticks || IsTicked(item);
            if (kind == Kind.Menu && !isOnStrip) return Kind.MenuItem;
            return memory.IsTick ? Kind.Toggle : Kind.Button;
        }

        internal static string TipOf(object item) => Words.WithoutMnemonic(Text(item, "ToolStripItem.ToolTipText"));

        internal static void Read(object item, Widget widget, FieldNames fields)
        {
            string name = Text(item, "ToolStripItem.Name") ?? Text(item, "Menu.Name");
            string field = fields.Of(item);
            string words = WordsOf(item);
            widget.Flag("disabled", !IsEnabled(item));
            widget.Fact("name", name);
            widget.Fact("field", field);
            widget.Fact("accessible", Text(item, "ToolStripItem.AccessibleName"));
            widget.Fact("tip", TipOf(item));
            // The designer's default text does not count as a text.
            widget.Fact("text", words == name || words == field ? "" : words);
            widget.Flag("selected", IsTicked(item));
            if (widget.Memory.IsTick) widget.Fact("value", IsTicked(item));
        }
    }
}
