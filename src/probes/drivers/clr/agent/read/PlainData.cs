using System;
using System.Reflection;

namespace Substrate.Read
{
    // Types of the framework that are nothing but their fields.
    static class PlainData
    {
        internal static bool Is(Type type)
        {
            string name = Unwraps.NameOf(type);
            if (name.StartsWith("System.Tuple`", StringComparison.Ordinal)) return true;
            if (name.StartsWith("System.ValueTuple`", StringComparison.Ordinal)) return true;
            switch (name)
            {
                case "System.Drawing.Point":
                case "System.Drawing.PointF":
                case "System.Drawing.Size":
                case "System.Drawing.SizeF":
                case "System.Drawing.Rectangle":
                case "System.Drawing.RectangleF":
                case "System.Numerics.Vector2":
                case "System.Numerics.Vector3":
                case "System.Numerics.Vector4":
                case "System.Numerics.Quaternion":
                case "System.Numerics.Complex":
                case "System.Windows.Point":
                case "System.Windows.Size":
                case "System.Windows.Rect":
                case "System.Windows.Vector":
                    return true;
                default: return false;
            }
        }

        // `Item1` for m_Item1.
        internal static string NameOf(FieldInfo field)
        {
            string name = field.Name;
            if (name.StartsWith("m_", StringComparison.Ordinal)) return name.Substring(2);
            return name.StartsWith("_", StringComparison.Ordinal) ? name.Substring(1) : name;
        }

        // Interfaces of the framework for things that are shown; null in a field of another one says nothing.
        internal static bool IsInterface(Type type)
        {
            string space = type.Namespace ?? "";
            if (!space.StartsWith("System.Collections", StringComparison.Ordinal)) return type == typeof(IComparable);
            return type.Name.IndexOf("Compar", StringComparison.Ordinal) < 0
                && type.Name.IndexOf("Enumerator", StringComparison.Ordinal) < 0;
        }
    }
}
