using System.Collections;

namespace Substrate.Forms
{
    // Reads what stands on menus, tool bars and status bars, which are no controls. Runs on the window's thread.
    static class ItemReader
    {
        static readonly Property ItemText = new Property("ToolStripItem", "Text");
        static readonly Property ItemTip = new Property("ToolStripItem", "ToolTipText");
        static readonly Property ItemName = new Property("ToolStripItem", "Name");
        static readonly Property ItemAccessible = new Property("ToolStripItem", "AccessibleName");
        static readonly Property ItemEnabled = new Property("ToolStripItem", "Enabled");
        static readonly Property Available = new Property("ToolStripItem", "Available");
        static readonly Property ItemWidth = new Property("ToolStripItem", "Width");
        static readonly Property HasItems = new Property("ToolStripDropDownItem", "HasDropDownItems");
        static readonly Property DropDownItems = new Property("ToolStripDropDownItem", "DropDownItems");
        static readonly Property ItemChecked = new Property("ToolStripMenuItem", "Checked");
        static readonly Property ItemChecks = new Property("ToolStripMenuItem", "CheckOnClick");
        static readonly Property ButtonChecked = new Property("ToolStripButton", "Checked");
        static readonly Property ButtonChecks = new Property("ToolStripButton", "CheckOnClick");
        static readonly Property Hosted = new Property("ToolStripControlHost", "Control");
        static readonly Property MenuText = new Property("MenuItem", "Text");
        static readonly Property MenuName = new Property("Menu", "Name");
        static readonly Property MenuEnabled = new Property("MenuItem", "Enabled");
        static readonly Property MenuVisible = new Property("MenuItem", "Visible");
        static readonly Property MenuChecked = new Property("MenuItem", "Checked");
        static readonly Property MenuItems = new Property("Menu", "MenuItems");

        // On the strip or menu, shown or behind its arrow.
        internal static bool IsThere(object item)
        {
            return Available.Flag(item) || MenuVisible.Flag(item);
        }

        internal static bool IsEnabled(object item)
        {
            return ItemEnabled.Flag(item) || MenuEnabled.Flag(item);
        }

        internal static string WordsOf(object item)
        {
            return Words.WithoutMnemonic(ItemText.Text(item) ?? MenuText.Text(item)) ?? "";
        }

        // The text box, combo box, … in an item of a strip; null: it is none.
        internal static object HostedBy(object item)
        {
            return Hosted.Of(item);
        }

        // Those of a menu that has none yet are not made.
        internal static IList ItemsOf(object menu)
        {
            return HasItems.Flag(menu) ? DropDownItems.List(menu) : MenuItems.List(menu);
        }

        internal static bool IsTicked(object item)
        {
            return ItemChecked.Flag(item) || ButtonChecked.Flag(item) || MenuChecked.Flag(item);
        }

        internal static Kind KindOf(object item, bool isOnStrip, Memory memory)
        {
            Kind kind = Kinds.Of(item);
            if (kind == Kind.Button)
            {
                memory.IsTick |= ButtonChecks.Flag(item) || ButtonChecked.Flag(item);
                return memory.IsTick ? Kind.Toggle : kind;
            }
            if (kind != Kind.Menu) return kind;
            IList items = ItemsOf(item);
            if (items != null && items.Count > 0) return kind;
            memory.IsTick |= ItemChecks.Flag(item) || ItemChecked.Flag(item) || MenuChecked.Flag(item);
            return !isOnStrip ? Kind.MenuItem : memory.IsTick ? Kind.Toggle : Kind.Button;
        }

        internal static void Read(object item, Widget widget, FieldNames fields)
        {
            widget.IsEnabled = IsEnabled(item);
            widget.Name = ItemName.Text(item) ?? MenuName.Text(item);
            widget.Field = fields.Of(item);
            widget.Accessible = ItemAccessible.Text(item);
            widget.Tip = Words.WithoutMnemonic(ItemTip.Text(item));
            widget.Text = WordsOf(item);
            // What a designer writes where nobody wrote something.
            if (widget.Text == widget.Name || widget.Text == widget.Field) widget.Text = "";
            widget.IsSelected = IsTicked(item);
            if (widget.Memory.IsTick) widget.Value = widget.IsSelected;
        }

        internal static int WidthOf(object item)
        {
            return ItemWidth.Number(item);
        }
    }
}
