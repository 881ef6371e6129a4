using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using Substrate.State;

namespace Substrate.Act
{
    /// <summary>
    /// Stands in for the walk of the state: fields, lists and dictionaries of a few objects, by plain reflection.
    /// </summary>
    sealed class FakeShown : IShown
    {
        const BindingFlags Declared =
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        internal readonly Dictionary<string, object> Roots = new Dictionary<string, object>();
        readonly IList<Holder> holders;

        internal FakeShown(IList<Holder> holders)
        {
            this.holders = holders;
        }

        public int HoldersVersion { get; internal set; }

        public IList<Holder> Holders
        {
            get
            {
                if (holders != null) return holders;
                var found = new List<Holder>();
                foreach (KeyValuePair<string, object> root in Roots) Visit(root.Key, root.Value, 1, found);
                return found;
            }
        }

        void Visit(string shape, object value, int depth, List<Holder> found)
        {
            if (value == null || depth > 6) return;
            if (value is Type) Add(found, new Holder(shape, (Type)value, true));
            else if (value is IDictionary)
                foreach (object each in ((IDictionary)value).Values) Visit(shape + "{*}", each, depth + 1, found);
            else if (value is IList) foreach (object each in (IList)value) Visit(shape + "[*]", each, depth + 1, found);
            else if (IsOfApp(value.GetType()))
            {
                Add(found, new Holder(shape, value.GetType(), false));
                foreach (KeyValuePair<string, object> field in Fields(value))
                    Visit(shape + "." + field.Key, field.Value, depth + 1, found);
            }
        }

        static void Add(List<Holder> found, Holder holder)
        {
            foreach (Holder each in found) if (each.Shape == holder.Shape && each.Type == holder.Type) return;
            found.Add(holder);
        }

        public object Find(string path)
        {
            object at = null;
            for (int begin = 0; begin < path.Length;)
            {
                if (path[begin] == '[')
                {
                    int end = path.IndexOf(']', begin);
                    string inside = path.Substring(begin + 1, end - begin - 1);
                    at = inside[0] == '"' ? Entry(at, inside.Substring(1, inside.Length - 2))
                        : Element(at, int.Parse(inside));
                    begin = end + 1;
                }
                else
                {
                    if (path[begin] == '.') begin++;
                    int end = begin;
                    while (end < path.Length && path[end] != '.' && path[end] != '[') end++;
                    string name = path.Substring(begin, end - begin);
                    at = begin == 0 ? Entry(Roots, name) : Entry(at as IDictionary ?? Fields(at), name);
                    begin = end;
                }
                if (at == null) return null;
            }
            return at;
        }

        static object Entry(object map, string key)
        {
            return map is IDictionary ? ((IDictionary)map)[key] : null;
        }

        static object Element(object list, int index)
        {
            return list is IList && index < ((IList)list).Count ? ((IList)list)[index] : null;
        }

        Dictionary<string, object> Fields(object of)
        {
            var fields = new Dictionary<string, object>();
            for (Type type = of.GetType(); type != null && IsOfApp(type); type = type.BaseType)
                foreach (FieldInfo field in type.GetFields(Declared)) fields[field.Name] = field.GetValue(of);
            return fields;
        }

        public object Flatten(object value, int maxLeaves)
        {
            if (value == null || value is string || value is bool || value is ValueType && value.GetType().IsPrimitive)
                return value;
            if (value is Enum) return value.ToString();
            var leaves = new Dictionary<string, object>();
            foreach (KeyValuePair<string, object> field in Fields(value))
                leaves[field.Key] = Convert.ToString(field.Value);
            return leaves;
        }

        public bool IsOfApp(Type type)
        {
            string name = type.Assembly.FullName;
            return name.StartsWith("Model,") || name.StartsWith("Later,") || name.StartsWith("Lazy,")
                || name.StartsWith("Absent,");
        }
    }
}
