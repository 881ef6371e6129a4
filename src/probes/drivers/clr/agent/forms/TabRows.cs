using System.Collections;
using static Substrate.Forms.Property;

namespace Substrate.Forms
{
    // The titles of tabs.
    sealed class TabRows : RowReader
    {
        IList pages;

        internal TabRows(object tabs) : base(tabs) { }

        protected override void Start()
        {
            pages = List(Control, "TabControl.TabPages");
            Rows.Total = pages == null ? 0 : pages.Count;
            object index = Of(Control, "TabControl.SelectedIndex");
            Rows.Selected = index is int ? (int)index : -1;
        }

        protected override object Row(int at)
        {
            string title = ControlReader.WordsOf(pages[at]).Trim();
            return title.Length > 0 ? title : "tab " + (at + 1);
        }

        protected override void End()
        {
            TakeSelected();
        }
    }
}
