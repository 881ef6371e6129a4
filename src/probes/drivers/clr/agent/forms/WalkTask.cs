namespace Substrate.Forms
{
    /// <summary>Something to be read: a control, an item of a strip or menu, or the rows of a control.</summary>
    sealed class WalkTask
    {
        internal readonly object Control;
        /// <summary>In which the control is, or whose rows are read.</summary>
        internal readonly Part Part;
        internal readonly RowReader Rows;
        internal readonly bool IsItem;

        internal WalkTask(object control, Part part, RowReader rows, bool isItem)
        {
            Control = control;
            Part = part;
            Rows = rows;
            IsItem = isItem;
        }
    }
}
