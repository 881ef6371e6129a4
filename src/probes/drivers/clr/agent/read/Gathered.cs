using System;

namespace Substrate.Read
{
    // Members that are put in order before they are shown: of a set, or entries of a dictionary whose keys are no text.
    sealed class Gathered
    {
        const int Most = 4 * MemberOrder.MaxMembers;
        internal object[] Keys = new object[64];
        internal object[] Values = new object[64];
        internal int Count;

        // False: too many.
        internal bool Add(object key, object value)
        {
            if (Count == Keys.Length)
            {
                if (Count >= Most) return false;
                Array.Resize(ref Keys, Count * 2);
                Array.Resize(ref Values, Count * 2);
            }
            Keys[Count] = key;
            Values[Count++] = value;
            return true;
        }

        // Which member is shown at which place. Without an `order` they stand as they came.
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
}
