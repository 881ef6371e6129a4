using System;
using System.Collections.Generic;
using Substrate.Read;

namespace Substrate.Forms
{
    /// <summary>The values of an area under their names.</summary>
    static class AreaRecord
    {
        const int MaxOptions = 30;
        const int MaxTexts = 200;
        const int MaxPairName = 40;

        internal static void Fill(Record record, Area area, PartNames names, Labels labels, NameBook book)
        {
            foreach (Part field in area.Fields) record.Put(names.Of(field), ValueOf(area, field));
            AddTexts(record, area, labels, book);
            foreach (Part menu in area.Menus)
            {
                // What is ticked in a menu is state, the rest of it is what can be done.
                Record ticks = Ticked(menu);
                if (ticks != null) record.Put(book.Take(PartNames.OfButton(menu, "menu")), ticks);
            }
        }

        static object ValueOf(Area area, Part field)
        {
            List<Part> radios = area.RadiosOf(field);
            if (radios != null) return RadioRecord(radios);
            Rows rows = field.Rows;
            switch (field.Kind)
            {
                case Kind.Combo: return rows == null ? null : ChoiceRecord(rows);
                case Kind.Tabs: return rows == null ? null : rows.SelectedValue;
                case Kind.List: case Kind.ListView: case Kind.Tree: case Kind.Grid:
                    return rows == null ? null : RowsRecord(rows);
                default: return field.Value;
            }
        }

        static Record RadioRecord(List<Part> radios)
        {
            var options = new object[radios.Count];
            object value = null;
            for (int at = 0; at < options.Length; at++)
            {
                options[at] = radios[at].Text;
                if (radios[at].IsSelected) value = options[at];
            }
            return new Record().Put("value", value).Put("options", options);
        }

        static Record ChoiceRecord(Rows rows)
        {
            Record record = new Record().Put("value", rows.SelectedValue);
            return rows.Total <= MaxOptions ? record.Put("options", Own(rows.Shown)) : record;
        }

        static Record RowsRecord(Rows rows)
        {
            var record = new Record();
            if (rows.Columns == null) record.Put("selected", rows.SelectedValue);
            record.Put("selected_row", rows.Selected < 0 ? null : (object)rows.Selected);
            if (rows.AlsoSelected.Count > 1) record.Put("selected_rows", Own(rows.AlsoSelected));
            object[] shown = Own(rows.Shown);
            for (int at = 0; rows.Columns != null && at < shown.Length; at++)
                shown[at] = RowRecord(rows.Columns, (object[])shown[at]);
            record.Put("rows", shown);
            // Those that are not read are counted.
            return shown.Length < rows.Total ? record.Put("row_count", rows.Total) : record;
        }

        /// <summary>
        /// An array of its own: of the empty one there is but one, which would look like the same list everywhere.
        /// </summary>
        static object[] Own(List<object> values)
        {
            var own = new object[values.Count];
            values.CopyTo(own);
            return own;
        }

        static Record RowRecord(string[] columns, object[] cells)
        {
            var record = new Record();
            for (int at = 0; at < columns.Length && at < cells.Length; at++) record.Put(columns[at], cells[at]);
            return record;
        }

        /// <summary>Labels that name nothing: under their own name if they have one, else one after another.</summary>
        static void AddTexts(Record record, Area area, Labels labels, NameBook book)
        {
            var texts = new List<object>();
            foreach (Part label in area.Labels)
            {
                string text = label.Text.Trim();
                // What ends with a colon names something that cannot be read.
                bool isCaption = text.EndsWith(":", StringComparison.Ordinal);
                if (isCaption || Names.ToName(text).Length == 0 || labels.IsUsed(label)) continue;
                int colon = text.IndexOf(": ", StringComparison.Ordinal);
                bool isPair = colon > 0 && colon <= MaxPairName && text.IndexOf('\n') < 0;
                string pair = isPair ? Names.ToName(text.Substring(0, colon)) : "";
                string name = Names.ToName(labels.Of(label));
                if (name.Length == 0) name = PartNames.OfLabel(label);
                if (name.Length == 0) name = pair;
                if (name.Length > 0)
                {
                    bool saysItself = isPair && name == pair;
                    object value = Words.ToValue(saysItself ? text.Substring(colon + 2).Trim() : text);
                    record.Put(book.Take(name, label.Memory), value);
                }
                else if (texts.Count < MaxTexts) texts.Add(text);
            }
            if (texts.Count > 0) record.Put(book.Take("texts"), Own(texts));
        }

        /// <summary>Null: nothing in it can be ticked.</summary>
        static Record Ticked(Part menu)
        {
            Record ticks = null;
            var book = new NameBook();
            foreach (Part item in menu.Parts)
            {
                string name = PartNames.OfButton(item, item.Kind == Kind.Menu ? "menu" : "");
                object value = item.Kind == Kind.Menu ? Ticked(item) : item.Value;
                if (value == null || name.Length == 0) continue;
                ticks = ticks ?? new Record();
                ticks.Put(book.Take(name), value);
            }
            return ticks;
        }
    }
}
