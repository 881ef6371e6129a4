using System;
using System.Globalization;
using System.Reflection;

namespace Substrate.Forms
{
    // The events of a double click on a row: there are several, and the app may handle any of them.
    static class DoubleClicks
    {
        const int LeftButton = 0x100000;
        const int NearStart = 24;

        internal static bool AreHandled(object control, Kind kind)
        {
            if (!Kinds.HasRows(kind) || kind == Kind.Tabs) return false;
            return Listeners.HasHandler(control, "Control", "DoubleClick")
                || Listeners.HasHandler(control, "Control", "MouseDoubleClick")
                || Listeners.HasHandler(control, "ListView", "ItemActivate")
                || Listeners.HasHandler(control, "TreeView", "NodeMouseDoubleClick")
                || Listeners.HasHandler(control, "DataGridView", "CellDoubleClick")
                || Listeners.HasHandler(control, "DataGridView", "DataGridViewCellDoubleClick");
        }

        // The order of a real double click; the row is selected before.
        internal static void Raise(object control, Kind kind, int row, object node)
        {
            object place = PlaceOf(control, kind, row, node);
            // The start of the first column: in others a double click may mean something else.
            int x = Inside(place, "X", "Width", NearStart);
            int y = Inside(place, "Y", "Height", int.MaxValue);
            Method.Call(control, "Control.OnDoubleClick", EventArgs.Empty);
            Method.Call(control, "Control.OnMouseDoubleClick", Make("MouseEventArgs", LeftButton, 2, x, y, 0));
            if (kind == Kind.ListView) Method.Call(control, "ListView.OnItemActivate", EventArgs.Empty);
            if (kind == Kind.Tree)
                Method.Call(control, "TreeView.OnNodeMouseDoubleClick",
                    Make("TreeNodeMouseClickEventArgs", node, LeftButton, 2, x, y));
            if (kind == Kind.Grid)
                Method.Call(control, "DataGridView.OnCellDoubleClick", Make("DataGridViewCellEventArgs", 0, row));
        }

        // Null if the position does not matter.
        static object PlaceOf(object control, Kind kind, int row, object node)
        {
            switch (kind)
            {
                case Kind.List: return Method.Ask(control, "ListBox.GetItemRectangle", row);
                case Kind.ListView: return Method.Ask(control, "ListView.GetItemRect", row);
                case Kind.Tree: return Property.Of(node, "TreeNode.Bounds");
                default: return null;
            }
        }

        static int Inside(object place, string start, string size, int most) =>
            place == null ? 0 : PartOf(place, start) + Math.Min(most, PartOf(place, size) / 2);

        static int PartOf(object place, string name)
        {
            PropertyInfo part = place.GetType().GetProperty(name);
            return part == null ? 0 : Convert.ToInt32(part.GetValue(place, null), CultureInfo.InvariantCulture);
        }

        internal static object Make(string type, params object[] arguments)
        {
            foreach (ConstructorInfo constructor in Library.Class(type).GetConstructors())
            {
                ParameterInfo[] parameters = constructor.GetParameters();
                if (parameters.Length != arguments.Length) continue;
                var values = (object[])arguments.Clone();
                for (int at = 0; at < values.Length; at++)
                {
                    Type wanted = parameters[at].ParameterType;
                    if (wanted.IsEnum) values[at] = Enum.ToObject(wanted, values[at]);
                }
                return constructor.Invoke(values);
            }
            throw new MissingMethodException(type, ".ctor");
        }
    }
}
