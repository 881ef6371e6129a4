package com.example.act;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The roots of the state that the tests look at. */
public final class Shop {
    public final List<Cart> carts = new ArrayList<>();
    public final Map<String, Cart> byOwner = new LinkedHashMap<>();
    public final Map<String, Map<String, Cart>> archive = new LinkedHashMap<>();
    public final Kitchen kitchen = new Kitchen();
    public final Trouble trouble = new Trouble();
    public final Shelf shelf = new Shelf();
    public final Traps traps = new Traps();
    public final Hidden hidden = new Hidden();
    public final Chooser chooser = new Chooser();
    public final Grid grid = new Grid();
    final Ticker ticker = new Ticker();

    public Shop() {
        carts.add(new Cart("ann"));
        carts.add(new Cart("bob"));
        byOwner.put("ann", carts.get(0));
        byOwner.put("odd key", carts.get(1));
        archive.put("2024", new LinkedHashMap<>(Map.of("may", new Cart("old"))));
    }

    /** Package-private, with public methods. */
    static class Hidden extends Base<Item> {
        public String greet(String who) {
            return "hello " + who;
        }

        public static int unseen() {
            return 1;
        }

        void internal() {}

        protected void guarded() {}

        private void secret() {}

        public void main(String[] ignored) {
            kept = null;
        }
    }

    abstract static class Base<T> implements Named {
        T kept;

        public T keep(T thing) {
            kept = thing;
            return thing;
        }

        @Override
        public String toString() {
            return "base";
        }
    }

    interface Named {
        default String nameTwice(String name) {
            return name + name;
        }
    }

    static final class Ticker extends Thread implements TickListener {
        private int ticks;

        @Override
        public void run() {
            ticks = 0;
        }

        @Override
        public void ticked(int times) {
            ticks += times;
        }

        public void tick() {
            ticks++;
        }

        public void hook() {}

        public void addTickListener(TickListener listener) {
            listener.ticked(ticks);
        }

        /** Nothing in the state is one, and JSON makes none. */
        public void wind(Spring spring) {
            ticks += spring.force();
        }
    }

    interface TickListener {
        void ticked(int times);
    }

    interface Spring {
        int force();
    }
}
