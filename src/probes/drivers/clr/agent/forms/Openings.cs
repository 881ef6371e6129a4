using System;
using System.Globalization;
using System.Reflection;

namespace Substrate.Forms
{
    // What a double click on a row does: several events say it, and the app may listen to any of them.
    static class Openings
    {
        const int LeftButton = 0x100000;
        const int NearStart = 24;
        static readonly Method DoubleClick = new Method("Control", "OnDoubleClick", "EventArgs");
        static readonly Method MouseDoubleClick = new Method("Control", "OnMouseDoubleClick", "MouseEventArgs");
        static readonly Method Activate = new Method("ListView", "OnItemActivate", "EventArgs");
        static readonly Method NodeDoubleClick =
            new Method("TreeView", "OnNodeMouseDoubleClick", "TreeNodeMouseClickEventArgs");
        static readonly Method CellDoubleClick =
            new Method("DataGridView", "OnCellDoubleClick", "DataGridViewCellEventArgs");
        static readonly Method ItemPlace = new Method("ListView", "GetItemRect", "Int32");
        static readonly Method LinePlace = new Method("ListBox", "GetItemRectangle", "Int32");
        static readonly Property NodePlace = new Property("TreeNode", "Bounds");

        internal static bool AreHeard(object control, Kind kind)
        {
            if (!Kinds.HasRows(kind) || kind == Kind.Tabs) return false;
            return Listeners.Hear(control, "Control", "DoubleClick")
                || Listeners.Hear(control, "Control", "MouseDoubleClick")
                || Listeners.Hear(control, "ListView", "ItemActivate")
                || Listeners.Hear(control, "TreeView", "NodeMouseDoubleClick")
                || Listeners.Hear(control, "DataGridView", "CellDoubleClick")
                || Listeners.Hear(control, "DataGridView", "DataGridViewCellDoubleClick");
        }

        internal static bool IsSplit(object item)
        {
            Type split = Library.Class("ToolStripSplitButton");
            return split != null && split.IsInstanceOfType(item);
        }

        // In the order of a real one; the row is selected before.
        internal static void Raise(object control, Kind kind, int row, object node)
        {
            object place = PlaceOf(control, kind, row, node);
            // In its first column, where the row begins: in others a double click may mean something else.
            int x = Inside(place, "X", "Width", NearStart);
            int y = Inside(place, "Y", "Height", int.MaxValue);
            DoubleClick.Call(control, EventArgs.Empty);
            MouseDoubleClick.Call(control, Make("MouseEventArgs", LeftButton, 2, x, y, 0));
            if (kind == Kind.ListView) Activate.Call(control, EventArgs.Empty);
            if (kind == Kind.Tree)
                NodeDoubleClick.Call(control, Make("TreeNodeMouseClickEventArgs", node, LeftButton, 2, x, y));
            if (kind == Kind.Grid) CellDoubleClick.Call(control, Make("DataGridViewCellEventArgs", 0, row));
        }

        // Null: where it is plays no role.
        static object PlaceOf(object control, Kind kind, int row, object node)
        {
            switch (kind)
            {
                case Kind.List: return LinePlace.Ask(control, row);
                case Kind.ListView: return ItemPlace.Ask(control, row);
                case Kind.Tree: return NodePlace.Of(node);
                default: return null;
            }
        }

        static int Inside(object place, string start, string size, int most)
        {
            return place == null ? 0 : PartOf(place, start) + Math.Min(most, PartOf(place, size) / 2);
        }

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
