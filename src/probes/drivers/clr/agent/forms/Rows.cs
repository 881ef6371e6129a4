using System.Collections.Generic;

namespace Substrate.Forms
{
    /// <summary>
    /// Rows of a table, tree or list, or the choices of a combo box, as texts, numbers and truth values.
    /// </summary>
    sealed class Rows
    {
        /// <summary>Of a table; null: a row is one value.</summary>
        internal string[] Columns;
        /// <summary>A value, or for a table an object[] of them.</summary>
        internal readonly List<object> Shown = new List<object>();
        /// <summary>How many there are, shown or not.</summary>
        internal int Total;
        /// <summary>Index of the selected row, -1: none.</summary>
        internal int Selected = -1;
        internal readonly List<object> AlsoSelected = new List<object>();
        internal object SelectedValue;
        /// <summary>A cell may be written; of a combo box: any text.</summary>
        internal bool IsEditable;
        /// <summary>Rows can be ticked.</summary>
        internal bool HasTicks;
    }
}
