package com.example.act;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A method for each effect. */
public final class Shelf {
    static int shared;
    private String name = "";
    private int level;
    private long wide;
    private boolean dirty;
    private int[] slots = new int[4];
    private final List<String> labels = new ArrayList<>();
    private final Map<String, List<String>> groups = new HashMap<>();
    private final AtomicInteger counter = new AtomicInteger();
    private final Square calm = new Square();
    private final Shape wild = new Blob();
    private final Maker maker = () -> shared++;
    private Iterator<String> cursor = labels.iterator();
    private Comparator<String> order = Comparator.naturalOrder();

    // Nothing.
    public int sum() { int sum = 0; for (String label : labels) sum += label.length(); return sum; }
    public String joined(String separator) { return String.join(separator, labels) + " of " + name + level; }
    public String built() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < level; i++) text.append(i);
        return text.toString();
    }
    public List<String> sorted() {
        List<String> copy = new ArrayList<>(labels);
        Collections.sort(copy);
        copy.add("end");
        return copy;
    }
    public List<String> longer(int than) {
        return labels.stream().filter(label -> label.length() > than).map(String::trim)
            .sorted(Comparator.comparing(String::length)).collect(Collectors.toList());
    }
    public int factorial(int of) { return of <= 1 ? 1 : of * factorial(of - 1); }
    public boolean even(int n) { return n == 0 || odd(n - 1); }
    public boolean odd(int n) { return n != 0 && even(n - 1); }
    public String[] copied() { return labels.toArray(new String[0]); }
    public int[] freshArray() { int[] copy = new int[3]; copy[0] = level; return copy; }
    public Pair freshObject(int a) { Pair pair = new Pair(a, 2); pair.swap(); return pair; }
    public double calmArea() { return calm.area(); }
    public int checked(int at) {
        if (at < 0) throw new IllegalArgumentException("negative " + at);
        return slots[at];
    }
    public String graded(int points) {
        switch (points) {
            case 1: return "one";
            case 2: return "two";
            case 900: return "many";
            default: return "none";
        }
    }
    public BigDecimal priced(BigDecimal of) { return of.multiply(BigDecimal.TEN).add(BigDecimal.valueOf(level)); }
    public void nothing() {}
    public int caught(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    // Setters.
    public void setName(String name) { this.name = name; }
    public void setChecked(String name) { this.name = Objects.requireNonNull(name, "name"); }
    public void setGuarded(int level) {
        if (level < 0) throw new IllegalArgumentException("level");
        this.level = level;
    }
    public void setWide(long wide) { this.wide = wide; }
    public Shelf named(String name) { this.name = name; return this; }
    public void setClamped(int level) { this.level = Math.max(0, level); }
    public void setDefault(String name) { this.name = name == null ? "" : name; }
    public synchronized void setLocked(String name) { this.name = name; }

    // Own state.
    public void setAndMark(String name) { this.name = name; dirty = true; }
    public void add(String label) { labels.add(label); level++; }
    public int next() { return counter.incrementAndGet(); }
    public void slot(int at, int value) { slots[at] = value; }
    public void setBoth(String name, int level) { this.name = name; this.level = level; }
    public void increase(int by) { level += by; }
    public synchronized int lockedRead() { return level + 1; }
    public void addTwice(String label) { add(label); add(label); }
    public void countAll() { labels.forEach(label -> level += label.length()); }

    // Anything.
    public void shareStatic() { shared++; }
    public double wildArea() { return wild.area(); }
    public int made() { return maker.make(); }
    public native int natively();
    public void print(String text) { System.out.println(text); }
    public void fill(int[] array) { array[0] = 1; }
    public String advance() { return cursor.next(); }
    public int compare(String a, String b) { return order.compare(a, b); }
    public void group(String key) { groups.get(key).add("x"); }
    public int lambdaWrites() { labels.forEach(label -> shared++); return 1; }
    public String[] into(String[] given) { return labels.toArray(given); }
    public void collectInto() { groups.keySet().stream().collect(Collectors.toCollection(() -> labels)); }
    public void removeFirst() { Iterator<String> each = labels.iterator(); each.next(); each.remove(); }
    public void touch(Pair pair) { pair.swap(); }
    public void spawn() { new Thread(this::nothing).start(); }
    public int evenly(int n) { return n == 0 ? 0 : oddly(n - 1); }
    public int oddly(int n) { shared = n; return n == 0 ? 1 : evenly(n - 1); }

    public static final class Pair {
        int a;
        int b;
        Pair(int a, int b) { this.a = a; this.b = b; }
        void swap() { int kept = a; a = b; b = kept; }
    }

    abstract static class Shape { double area() { return 1; } }
    static class Square extends Shape { @Override double area() { return 4; } }
    static class Blob extends Shape2 { @Override double area() { return shared++; } }
    static class Shape2 extends Shape {}
    interface Maker { int make(); }

    private Item.Status status = Item.Status.NEW;

    /** By a table that compilers put into a class of its own, which nobody has initialised yet. */
    public String switched() {
        switch (status) {
            case NEW: return "to be paid";
            default: return "done";
        }
    }
}
