using System;
using Substrate.Health;

namespace Substrate.Read
{
    // Estimates the number of children of an object, without reading it.
    static class Estimates
    {
        // The approximate number of children.
        internal static int Of(object target, Shape how)
        {
            try
            {
                if (how.Cell != null && IsLargeTable((Array)target)) return 1;
                if (how.Container != null) return how.Fields.Slots.Length + 1 + Math.Max(0, how.Container.Size(target));
                if (how != Shape.Bare) return Math.Max(how.Unwrap == null ? 0 : 2, how.Fields.Slots.Length);
                var record = target as Record;
                if (record != null) return record.Names.Count;
                var array = target as Array;
                if (array != null) return 1 + array.GetLength(0);
                return target is Row ? 1 + ((Row)target).Length : 2;
            }
            catch (Exception discarded)
            {
                Discarded.Count("Estimates.Of", discarded);
                return 1;
            }
        }

        internal static bool IsLargeTable(Array array)
        {
            return array.Length > Rules.MaxNumbers && array.GetType().GetElementType().IsPrimitive;
        }
    }
}
