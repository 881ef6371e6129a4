package harness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How long a capture takes; for people. Arguments: numbers of leaves. */
public final class Bench {
    private Bench() {}

    static final class Order {
        long id;
        String customer;
        double total;
        boolean paid;
        int lines;
        String city = "Berlin";
        Status status = Status.NEW;
        Map<String, Object> extra = new HashMap<>();
    }

    enum Status { NEW, PAID }

    static final class Shop {
        List<Order> orders = new ArrayList<>();
    }

    public static void main(String[] args) {
        for (String arg : args) {
            int leaves = Integer.parseInt(arg);
            Shop shop = new Shop();
            for (int at = 0; at < leaves / 10; at++) shop.orders.add(order(at));
            Subject subject = new Subject(400_000).put("shop", shop);
            long start = System.nanoTime();
            int count = subject.full().size();
            System.out.println(count + " leaves, first full with its parsing " + (System.nanoTime() - start) / 1_000_000 + " ms");
            print("  unchanged", subject, 300, null);
            print("  one change", subject, 100, new Runnable() {
                @Override
                public void run() {
                    shop.orders.get(shop.orders.size() / 2).total++;
                }
            });
            print("  insert at the front", subject, 30, new Runnable() {
                @Override
                public void run() {
                    shop.orders.add(0, order(7));
                    shop.orders.remove(shop.orders.size() - 1);
                }
            });
            print("  append", subject, 30, new Runnable() {
                @Override
                public void run() {
                    shop.orders.add(order(7));
                }
            });
        }
        System.exit(0);
    }

    private static Order order(int at) {
        Order order = new Order();
        order.id = at;
        order.customer = "customer " + at;
        order.extra.put("note", "n" + at);
        return order;
    }

    private static void print(String what, Subject subject, int rounds, Runnable change) {
        long[] times = new long[rounds];
        long allocated = 0;
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        for (int at = 0; at < rounds; at++) {
            if (change != null) change.run();
            long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            long start = System.nanoTime();
            subject.reader.capture(false, false);
            times[at] = System.nanoTime() - start;
            allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - bytes;
        }
        java.util.Arrays.sort(times, rounds / 2, rounds);
        System.out.println(what + ": median of the second half " + times[rounds * 3 / 4] / 1000 + " us, allocated " + allocated + " bytes");
    }
}
