using System;
using Substrate.Health;

namespace Substrate.Read
{
    // Reads the children of one object: its fields, its elements, or both. Not thread safe; a sink must not call Read.
    sealed class ObjectReader : ITaker
    {
        // All children were taken.
        internal const int Done = -1;

        static readonly long lengthName = Hash.Of("length");
        static readonly long sizeName = Hash.Of("size");
        static readonly long keyName = Hash.Of("key");
        static readonly long valueName = Hash.Of("value");

        readonly MemberOrder order;
        readonly KeyNames names;

        // The cursor of the object that is being read.
        readonly Cursor cursor = new Cursor();
        Shape shape;
        int kind;
        readonly Gathered gathered = new Gathered();
        bool gathers;
        // The reported size of a collection.
        int size;

        internal ObjectReader(Shapes shapes, MemberOrder order)
        {
            names = new KeyNames(shapes);
            this.order = order;
        }

        // The number of children of the last object without a path, or beyond a limit.
        internal int LeftOut { get; private set; }

        // Passes the children from position `first` on to the sink; returns the position of the child that was refused,
        // or Done. `place` is the hash of the object's path.
        internal int Read(object target, Shape how, long place, int first, Sink into)
        {
            cursor.Start(into, first);
            shape = how;
            LeftOut = 0;
            try
            {
                Children(how.Unwrap != null ? how.Unwrap(target) : target, how, place);
            }
            catch (Exception unreadable)
            {
                // The object changed while it was read, or is not readable at all: the children read so far stay.
                Discarded.Count("ObjectReader.Read", unreadable);
                if (unreadable is OutOfMemoryException) throw;
            }
            finally
            {
                cursor.End();
                shape = null;
            }
            return cursor.IsRefused ? cursor.Position : Done;
        }

        void Children(object target, Shape how, long place)
        {
            if (how.Cell != null) Elements((Array)target, how.Cell);
            else if (target is Record) Named((Record)target);
            else if (target is KeyedEntry) Pair((KeyedEntry)target);
            else if (target is Row) Columns((Row)target);
            else if (target is Array) Rows((Array)target);
            else
            {
                InFields(target, how.Fields);
                if (how.Container != null && !cursor.IsRefused) Elements(target, how.Container, place);
            }
        }

        void InFields(object target, Fields fields)
        {
            int count = fields.Slots.Length;
            int from = cursor.From;
            int refusedAt = from < count ? fields.Read(target, from, cursor.Sink) : Fields.Done;
            cursor.IsRefused = refusedAt != Fields.Done;
            cursor.Position = cursor.IsRefused ? refusedAt : count;
        }

        void Named(Record record)
        {
            for (int at = 0; at < record.Names.Count && at < record.Values.Count; at++)
                if (!cursor.Child(record.Names[at], Hash.Of(record.Names[at]), record.Values[at])) return;
        }

        void Pair(KeyedEntry entry)
        {
            if (cursor.Child("key", keyName, entry.Key)) cursor.Child("value", valueName, entry.Value);
        }

        void Elements(Array array, Accessor cell)
        {
            if (!cursor.Count("length", lengthName, array.Length)) return;
            if (Estimates.IsLargeTable(array))
            {
                // The skipped array counts as one thing, not as so many values of the app.
                LeftOut = 1;
                return;
            }
            object[] places = array.Length > Rules.MaxWithNulls ? array as object[] : null;
            Sink sink = cursor.Sink;
            for (int at = Math.Max(0, cursor.From - cursor.Position); at < array.Length; at++)
            {
                if (places != null && places[at] == null) continue;
                sink.Index(at);
                if (!cursor.Refused(cell.Push(array, at, sink))) continue;
                cursor.Position += at;
                return;
            }
        }

        void Rows(Array array)
        {
            int rows = array.GetLength(0);
            if (!cursor.Count("length", lengthName, rows)) return;
            if (array.Rank != 2 || Estimates.IsLargeTable(array))
            {
                LeftOut = 1;
                return;
            }
            for (int at = 0; at < rows; at++) if (!cursor.Element(new Row(array, at))) return;
        }

        void Columns(Row row)
        {
            int columns = row.Length;
            if (!cursor.Count("length", lengthName, columns)) return;
            for (int at = 0; at < columns; at++) if (!cursor.Element(cursor.IsThere ? row.At(at) : null)) return;
        }

        void Elements(object target, Container container, long place)
        {
            kind = container.Kind;
            bool isList = kind == Container.List;
            size = container.Size(target);
            if (size < 0) cursor.Position++;
            else if (!cursor.Count(isList ? "length" : "size", isList ? lengthName : sizeName, size)) return;
            if (kind == Container.Map) names.Begin();
            bool isOrdered = container.IsOrdered(target) || size > Rules.MaxOrdered;
            gathers = kind == Container.Set && !isOrdered;
            try
            {
                container.Each(target, this);
                if (gathered.Count > 0 && !cursor.IsRefused) InOrder(place, isOrdered);
            }
            finally
            {
                gathered.Clear();
            }
        }

        public bool Take(Accessor key, object keyHolder, Accessor value, object valueHolder, int at)
        {
            if (kind == Container.Map && key != null) return TakeEntry(key, keyHolder, value, valueHolder, at);
            if (gathers) return Gather(value.Get(valueHolder, at), null);
            // The collection grows, or is emptied and filled again, while it is read.
            if (size >= 0 && cursor.Index >= size) return false;
            if (cursor.IsThere)
            {
                cursor.Sink.Index(cursor.Index);
                if (cursor.Refused(value.Push(valueHolder, at, cursor.Sink))) return false;
            }
            cursor.Index++;
            cursor.Position++;
            return true;
        }

        bool TakeEntry(Accessor key, object keyHolder, Accessor value, object valueHolder, int at)
        {
            string name = names.Of(key, keyHolder, at);
            if (name == null) return Gather(key.Get(keyHolder, at), value.Get(valueHolder, at));
            if (name.Length > Rules.MaxKey || name == "size" || shape.Fields.Slots.Length > 0 && shape.HasSlot(name)
                || names.IsTaken(key, name))
            {
                LeftOut++;
                return true;
            }
            if (cursor.IsThere)
            {
                cursor.Sink.Key(name);
                if (cursor.Refused(value.Push(valueHolder, at, cursor.Sink))) return false;
            }
            cursor.Position++;
            return true;
        }

        bool Gather(object key, object value)
        {
            if (gathered.Add(key, value)) return true;
            LeftOut++;
            return false;
        }

        void InOrder(long place, bool isOrdered)
        {
            int[] members = gathered.InOrder(place, isOrdered ? null : order);
            cursor.Index = 0;
            foreach (int member in members)
            {
                object key = gathered.Keys[member];
                if (!cursor.Element(kind == Container.Map ? new KeyedEntry(key, gathered.Values[member]) : key)) return;
            }
        }
    }

    // Members that are ordered before they are shown: of a set, or entries of a dictionary whose keys are not texts.
    sealed class Gathered
    {
        internal object[] Keys = new object[64];
        internal object[] Values = new object[64];
        internal int Count;

        // False if there are too many.
        internal bool Add(object key, object value)
        {
            if (Count == Keys.Length)
            {
                if (Count >= 4 * Rules.MaxOrdered) return false;
                Array.Resize(ref Keys, Count * 2);
                Array.Resize(ref Values, Count * 2);
            }
            Keys[Count] = key;
            Values[Count++] = value;
            return true;
        }

        // The member at each shown place. Without an `order` they stay in the order of the collection.
        internal int[] InOrder(long place, MemberOrder order)
        {
            int[] ranks = order == null ? null : order.Ranks(place, Keys, Count);
            var members = new int[Count];
            for (int at = 0; at < Count; at++) members[ranks == null ? at : ranks[at]] = at;
            return members;
        }

        internal void Clear()
        {
            Array.Clear(Keys, 0, Count);
            Array.Clear(Values, 0, Count);
            Count = 0;
        }
    }

    // An entry of a dictionary; shown as `key` and `value` where the key is not a text.
    sealed class KeyedEntry
    {
        internal readonly object Key;
        internal readonly object Value;

        internal KeyedEntry(object key, object value)
        {
            Key = key;
            Value = value;
        }
    }
}
