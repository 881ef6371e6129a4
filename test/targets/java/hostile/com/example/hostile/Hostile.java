package com.example.hostile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Locks that are never given back, methods with side effects, structures without an end, a map that never rests. */
public class Hostile {
    static class Link {
        Link next;
        int number;
    }

    static final Hashtable<String, Integer> table = new Hashtable<>();
    static final Map<String, Integer> guarded = Collections.synchronizedMap(new HashMap<>());
    static final Map<Integer, String> restless = new HashMap<>();
    static final Map<String, Object> circle = new HashMap<>();
    static final List<Integer> million = new ArrayList<>();
    static final Trap trap = new Trap();
    static final List<String> lazy = new LazyList();
    static Link chain;

    public static void main(String[] args) throws Exception {
        table.put("held", 1);
        guarded.put("held", 2);
        circle.put("self", circle);
        circle.put("trap", trap);
        for (int at = 0; at < 1_000_000; at++) million.add(at);
        for (int at = 0; at < 100_000; at++) {
            Link link = new Link();
            link.number = at;
            link.next = chain;
            chain = link;
        }
        Class.forName("com.example.hostile.Dormant", false, Hostile.class.getClassLoader());
        Thread holder = new Thread(Hostile::holdForEver, "holder");
        holder.start();
        Thread mutator = new Thread(Hostile::mutate, "mutator");
        mutator.setDaemon(true);
        mutator.start();
        System.out.println("ready");
        holder.join();
    }

    private static void holdForEver() {
        synchronized (table) {
            synchronized (guarded) {
                synchronized (trap) {
                    try {
                        Thread.sleep(Long.MAX_VALUE);
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                }
            }
        }
    }

    private static void mutate() {
        Random random = new Random(1);
        for (;;) {
            int key = random.nextInt(5000);
            if (random.nextBoolean()) restless.put(key, "v" + key);
            else restless.remove(key);
        }
    }
}
