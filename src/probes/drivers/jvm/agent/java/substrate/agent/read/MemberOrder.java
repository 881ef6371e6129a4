package substrate.agent.read;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Sets are shown by index although they have no order: a member gets the index at which it was first seen, and keeps it
 * while others come and go. Members are remembered weakly.
 */
public final class MemberOrder {
    private final Map<Long, Order> orders = new HashMap<Long, Order>();
    private int walk;

    private static final class Order {
        /** Members in the order of the collection, each as a `token`. */
        Object[] tokens = {};
        /** The shown index of each member. */
        int[] ranks = {};
        int lastWalk;
    }

    /** Forgets the sets that the last walk did not reach. */
    public void nextWalk() {
        Iterator<Order> all = orders.values().iterator();
        while (all.hasNext()) if (all.next().lastWalk < walk) all.remove();
        walk++;
    }

    /** The shown index of each member: 0 … count-1. */
    int[] ranks(long place, Object[] members, int count) {
        Order order = orders.get(place);
        if (order == null) orders.put(place, order = new Order());
        order.lastWalk = walk;
        if (!isSame(order, members, count)) arrange(order, members, count);
        return order.ranks;
    }

    private static boolean isSame(Order order, Object[] members, int count) {
        if (order.tokens.length != count) return false;
        for (int at = 0; at < count; at++) if (!stands(order.tokens[at], members[at])) return false;
        return true;
    }

    private static void arrange(Order order, Object[] members, int count) {
        Map<MemberKey, Integer> former = new HashMap<MemberKey, Integer>();
        for (int at = 0; at < order.tokens.length; at++) {
            Object member = memberOf(order.tokens[at]);
            if (member != null) former.put(new MemberKey(member), order.ranks[at]);
        }
        int[] memberAtFormerRank = new int[order.ranks.length];
        java.util.Arrays.fill(memberAtFormerRank, -1);
        Object[] tokens = new Object[count];
        int[] ranks = new int[count];
        for (int at = 0; at < count; at++) {
            tokens[at] = token(members[at]);
            Integer rank = members[at] == null ? null : former.remove(new MemberKey(members[at]));
            ranks[at] = -1;
            if (rank != null) memberAtFormerRank[rank] = at;
        }
        int next = 0;
        for (int member : memberAtFormerRank) if (member >= 0) ranks[member] = next++;
        for (int at = 0; at < count; at++) if (ranks[at] < 0) ranks[at] = next++;
        order.tokens = tokens;
        order.ranks = ranks;
    }

    private static Object token(Object member) {
        return member == null || isValue(member) ? member : new WeakReference<Object>(member);
    }

    private static Object memberOf(Object token) {
        return token instanceof WeakReference ? ((WeakReference<?>) token).get() : token;
    }

    private static boolean stands(Object token, Object member) {
        if (token instanceof WeakReference) return ((WeakReference<?>) token).get() == member && member != null;
        return token == member || token != null && member != null && isValue(member) && token.equals(member);
    }

    /** True if it is compared by its value, not by identity. */
    private static boolean isValue(Object member) {
        int scalar = Scalars.of(member.getClass());
        return scalar != Scalars.NONE && member instanceof Comparable && !(member instanceof java.nio.file.Path);
    }

    /** A member as a map key: values by equality, objects by identity, never by the app's equals. */
    private static final class MemberKey {
        private final Object member;
        private final boolean isValue;

        MemberKey(Object member) {
            this.member = member;
            this.isValue = isValue(member);
        }

        @Override
        public int hashCode() {
            return isValue ? member.hashCode() : System.identityHashCode(member);
        }

        @Override
        public boolean equals(Object other) {
            Object theirs = ((MemberKey) other).member;
            return theirs == member || isValue && member.equals(theirs);
        }
    }
}
