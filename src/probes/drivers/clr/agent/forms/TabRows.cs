using System.Collections;

namespace Substrate.Forms
{
    // The titles of tabs.
    sealed class TabRows : RowReader
    {
        static readonly Property Pages = new Property("TabControl", "TabPages");
        static readonly Property Index = new Property("TabControl", "SelectedIndex");
        static readonly Property SelectedTab = new Property("TabControl", "SelectedTab");
        readonly object tabs;
        IList pages;

        internal TabRows(object tabs)
        {
            this.tabs = tabs;
        }

        // Null: none.
        internal static object SelectedOf(object tabs)
        {
            return SelectedTab.Of(tabs);
        }

        protected override void Start()
        {
            pages = Pages.List(tabs);
            Rows.Total = pages == null ? 0 : pages.Count;
            object index = Index.Of(tabs);
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
            pages = null;
        }
    }
}
