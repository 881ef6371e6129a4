using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Budget;
using Substrate.Health;
using Substrate.Read;

namespace Substrate.Roots
{
    // All objects that can be reached from others by their fields, within a budget.
    sealed class Reached
    {
        const int MaxObjects = 300000;
        const int MaxElements = 20000;
        readonly Dictionary<object, bool> seen = new Dictionary<object, bool>(Identity.Instance);
        readonly Pace pace;
        readonly List<object> open = new List<object>();
        int count;

        internal Reached(Pace pace)
        {
            this.pace = pace;
        }

        internal bool Has(object one)
        {
            return seen.ContainsKey(one);
        }

        internal void From(object start)
        {
            Add(start, false);
            while (open.Count > 0)
            {
                object next = open[open.Count - 1];
                open.RemoveAt(open.Count - 1);
                if (++count > MaxObjects || (count & 255) == 0 && !pace.Go())
                {
                    open.Clear();
                    return;
                }
                try
                {
                    Visit(next);
                }
                catch (Exception discarded)
                {
                    // The object leads no further.
                    Discarded.Count("Reached.From", discarded);
                }
            }
        }

        internal void FromStatics(Type type)
        {
            foreach (FieldInfo field in FieldAccess.Statics(type))
                if (!field.IsLiteral && FieldAccess.MayLead(field.FieldType)) From(FieldAccess.Value(field, null));
        }

        void Visit(object one)
        {
            Type type = one.GetType();
            if (type.IsArray) Elements((Array)one);
            else
            {
                HeldFields held = HeldFields.Of(type);
                object[] values = held.Read(one);
                for (int at = 0; at < values.Length; at++) Add(values[at], held.Fields[at].FieldType.IsValueType);
            }
        }

        void Elements(Array array)
        {
            Type element = array.GetType().GetElementType();
            if (array.Rank != 1 || element.IsPointer) return;
            int end = Math.Min(array.Length, MaxElements);
            for (int at = 0; at < end; at++) Add(array.GetValue(at), element.IsValueType);
        }

        void Add(object next, bool isCopy)
        {
            if (next == null || Proxies.Is(next) || DeadEnds.Is(next.GetType())) return;
            if (!isCopy)
            {
                if (seen.ContainsKey(next)) return;
                seen.Add(next, true);
            }
            open.Add(next);
        }
    }
}
