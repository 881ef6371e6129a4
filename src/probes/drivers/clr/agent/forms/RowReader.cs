using System;

namespace Substrate.Forms
{
    /// <summary>
    /// Reads rows one by one, so that a long list can be read in several pieces. What the app made itself (texts of its
    /// objects, rows that it makes when they are asked for) is asked for what painting asks. Runs on the window's
    /// thread.
    /// </summary>
    abstract class RowReader
    {
        internal readonly Rows Rows = new Rows();
        internal TimeSpan Time;
        bool isStarted;

        /// <summary>Sets the total and what is selected.</summary>
        protected abstract void Start();

        protected abstract object Row(int at);

        /// <summary>After the last row.</summary>
        protected virtual void End() { }

        /// <summary>Reads on until the time is over; false: there is more.</summary>
        internal bool Read(DateTime until, int maxRows)
        {
            DateTime began = DateTime.UtcNow;
            if (!isStarted) Start();
            isStarted = true;
            bool isDone = false;
            while (!isDone)
            {
                isDone = Rows.Shown.Count >= Math.Min(Rows.Total, maxRows);
                if (isDone) End();
                else
                {
                    Rows.Shown.Add(Row(Rows.Shown.Count));
                    if (DateTime.UtcNow > until) break;
                }
            }
            Time += DateTime.UtcNow - began;
            return isDone;
        }

        /// <summary>What is selected, where it was read with the others or can be read now.</summary>
        protected void TakeSelected()
        {
            if (Rows.Selected < 0 || Rows.Selected >= Rows.Total) return;
            bool isShown = Rows.Selected < Rows.Shown.Count;
            Rows.SelectedValue = isShown ? Rows.Shown[Rows.Selected] : Row(Rows.Selected);
        }

        internal static RowReader Of(Kind kind, object control)
        {
            switch (kind)
            {
                case Kind.Combo: case Kind.List: return new ListRows(control);
                case Kind.ListView: return new ListViewRows(control);
                case Kind.Grid: return new GridRows(control);
                case Kind.Tree: return new TreeRows(control);
                case Kind.Tabs: return new TabRows(control);
                default: return null;
            }
        }
    }
}
