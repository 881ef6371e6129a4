using System;

namespace Substrate.Read
{
    // Collections of the framework for several threads.
    static class ConcurrentContainers
    {
        internal static Container Buckets(Type type)
        {
            Accessor tables = Accessor.Field(type, "_tables|m_tables");
            if (tables == null) return null;
            Accessor buckets = Accessor.Field(tables.Type, "_buckets|m_buckets");
            Accessor counts = Accessor.Field(tables.Type, "_countPerLock|m_countPerLock");
            if (buckets == null || counts == null) return null;
            Accessor cell = Accessor.Cell(buckets.Type, "_node") ?? Accessor.Cell(buckets.Type);
            if (cell == null) return null;
            Accessor next = Accessor.Field(cell.Type, "_next|m_next");
            Accessor key = Accessor.Field(cell.Type, "_key|m_key");
            Accessor value = Accessor.Field(cell.Type, "_value|m_value");
            if (next == null || key == null || value == null) return null;
            return new BucketContainer(new[] { tables, buckets, counts, cell, next }, key, value);
        }

        internal static Container Segments(Type type)
        {
            Accessor first = Accessor.Field(type, "_head");
            if (first == null) return null;
            Accessor slots = Accessor.Field(first.Type, "_slots");
            if (slots == null) return null;
            Accessor[] parts =
            {
                first, slots,
                Accessor.Field(first.Type, "_headAndTail", "Head"), Accessor.Field(first.Type, "_headAndTail", "Tail"),
                Accessor.Field(first.Type, "_frozenForEnqueues"), Accessor.Field(first.Type, "_nextSegment"),
                Accessor.Cell(slots.Type, "Item"), Accessor.Cell(slots.Type, "SequenceNumber"),
            };
            return Array.IndexOf(parts, null) >= 0 ? null : new SegmentContainer(parts);
        }

        internal static Container Bag(Type type)
        {
            Accessor first = Accessor.Field(type, "_workStealingQueues");
            if (first == null) return null;
            Accessor[] parts =
            {
                first, Accessor.Field(first.Type, "_nextQueue"), Accessor.Field(first.Type, "_array"),
                Accessor.Field(first.Type, "_headIndex"), Accessor.Field(first.Type, "_tailIndex"),
            };
            if (Array.IndexOf(parts, null) >= 0) return null;
            Accessor cell = Accessor.Cell(parts[2].Type);
            return cell == null ? null : new BagContainer(parts, cell);
        }
    }
}
