using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace Substrate.Read
{
    // Some sets are shown by index although they have no order: a member gets the index at which it was first seen, and
    // keeps it while others come and go. Members are remembered weakly.
    sealed class MemberOrder
    {
        readonly Dictionary<long, Order> orders = new Dictionary<long, Order>();
        int walk;

        sealed class Order
        {
            // Members in the order of the collection, each as a Token.
            internal object[] Tokens = new object[0];
            // The shown index of each member.
            internal int[] Ranks = new int[0];
            internal int LastWalk;
        }

        // Forgets the sets that the last walk did not reach.
        internal void NextWalk()
        {
            List<long> gone = null;
            foreach (KeyValuePair<long, Order> order in orders)
                if (order.Value.LastWalk < walk) (gone ?? (gone = new List<long>())).Add(order.Key);
            if (gone != null) foreach (long place in gone) orders.Remove(place);
            walk++;
        }

        // The shown index of each member: 0 … count-1.
        internal int[] Ranks(long place, object[] members, int count)
        {
            Order order;
            if (!orders.TryGetValue(place, out order)) orders.Add(place, order = new Order());
            order.LastWalk = walk;
            if (!IsSame(order, members, count)) Arrange(order, members, count);
            return order.Ranks;
        }

        static bool IsSame(Order order, object[] members, int count)
        {
            if (order.Tokens.Length != count) return false;
            for (int at = 0; at < count; at++) if (!Stands(order.Tokens[at], members[at])) return false;
            return true;
        }

        static void Arrange(Order order, object[] members, int count)
        {
            var former = new Dictionary<object, int>(new ByMember());
            for (int at = 0; at < order.Tokens.Length; at++)
            {
                object member = MemberOf(order.Tokens[at]);
                if (member != null) former[member] = order.Ranks[at];
            }
            var memberAtFormerRank = new int[order.Ranks.Length];
            for (int at = 0; at < memberAtFormerRank.Length; at++) memberAtFormerRank[at] = -1;
            var tokens = new object[count];
            var ranks = new int[count];
            for (int at = 0; at < count; at++)
            {
                tokens[at] = Token(members[at]);
                ranks[at] = -1;
                int rank;
                if (members[at] == null || !former.TryGetValue(members[at], out rank)) continue;
                former.Remove(members[at]);
                memberAtFormerRank[rank] = at;
            }
            int next = 0;
            foreach (int member in memberAtFormerRank) if (member >= 0) ranks[member] = next++;
            for (int at = 0; at < count; at++) if (ranks[at] < 0) ranks[at] = next++;
            order.Tokens = tokens;
            order.Ranks = ranks;
        }

        static object Token(object member)
        {
            return member == null || IsValue(member) ? member : new WeakReference(member);
        }

        static object MemberOf(object token)
        {
            var reference = token as WeakReference;
            return reference == null ? token : reference.Target;
        }

        static bool Stands(object token, object member)
        {
            var reference = token as WeakReference;
            if (reference != null) return member != null && reference.Target == member;
            return token == member || token != null && member != null && IsValue(member) && token.Equals(member);
        }

        // True if it is compared by its value, not by identity. Its Equals is the framework's.
        static bool IsValue(object member)
        {
            Type type = member.GetType();
            return type.IsPrimitive || type == typeof(string) || type == typeof(Guid) || type == typeof(decimal)
                || type == typeof(DateTime) || type == typeof(DateTimeOffset) || type == typeof(TimeSpan);
        }

        // Values by equality, objects by identity, never by the app's Equals.
        sealed class ByMember : IEqualityComparer<object>
        {
            bool IEqualityComparer<object>.Equals(object one, object other)
            {
                return one == other || one != null && other != null && IsValue(one) && one.Equals(other);
            }

            int IEqualityComparer<object>.GetHashCode(object member)
            {
                return IsValue(member) ? member.GetHashCode() : RuntimeHelpers.GetHashCode(member);
            }
        }
    }
}
