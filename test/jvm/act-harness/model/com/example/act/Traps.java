package com.example.act;

import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAdjuster;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Methods that look harmless. */
public final class Traps {
    static int noise;
    private int max;
    private int width;
    private int height;
    private Cart owner;
    private final Map<String, String> recent = new LinkedHashMap<>(16, 0.75f, true);
    private final List<Loud> louds = new ArrayList<>(List.of(new Loud()));
    private final Loud loud = new Loud();
    private Stream<String> stream = Stream.of("a");
    private final TemporalAdjuster adjuster = date -> { noise++; return date; };
    private final Quiet quiet = new Quiet();
    // Initialised, so that making another one proves nothing by itself.
    private final Object rows = new Rows(this, false);
    private final Object calmRows = new CalmRows(0);

    // The value from before does not undo these.
    public void setMax(int max) { if (max > this.max) this.max = max; }
    public void setSize(int size) { width = size; height = size; }
    public void setOwner(Cart owner) { this.owner = owner; }
    public String lookup(String key) { return recent.get(key); }
    public long consume() { return stream.count(); }

    // The JDK calls methods of the app.
    public String describe() { return "here is " + loud; }
    public String built(Loud one) { return new StringBuilder().append(one).toString(); }
    public boolean has(Loud one) { return louds.contains(one); }
    public int hashed(Loud one) { return java.util.Objects.hash(one); }
    public List<Loud> sorted() {
        List<Loud> copy = new ArrayList<>(louds);
        copy.add(loud);
        java.util.Collections.sort(copy);
        return copy;
    }
    public String listed() { return String.join(", ", new Rows(this, true)); }
    public String counted() { return String.join(", ", new CalmRows(width)); }
    public int direct() { return loud.hashCode(); }
    public String calmly() { return "here is " + quiet + width; }

    // They write into what they are given.
    public int spell(char[] into) { return Character.toChars(65, into, 0); }
    @SuppressWarnings("deprecation")
    public void bytes(byte[] into) { "abc".getBytes(0, 2, into, 0); }
    public void stamp(StringBuilder into) { DateTimeFormatter.ISO_DATE.formatTo(LocalDate.EPOCH, into); }

    // They run what is not seen here.
    public LocalDate adjusted(String date) { return LocalDate.parse(date).with(adjuster); }
    public long spread() { return louds.stream().parallel().count(); }
    public int wake() { return Sleeper.hours; }
    public int later() { return quiet.level(); }

    static final class Loud implements Comparable<Loud> {
        private int hash;
        @Override public String toString() { return "loud" + noise++; }
        @Override public boolean equals(Object other) { noise++; return this == other; }
        @Override public int hashCode() { return hash != 0 ? hash : (hash = 7); }
        @Override public int compareTo(Loud other) { return noise++; }
    }

    static class Quiet {
        int level() { return 1; }
        @Override public String toString() { return "quiet"; }
    }

    /** Loaded by a test, after the rest was looked at. */
    static final class Unquiet extends Quiet {
        @Override int level() { return noise++; }
    }

    static final class Sleeper {
        static int hours = noise++;
    }

    static final class Rows extends AbstractList<String> {
        private final Traps of;
        private final boolean some;

        Rows(Traps of, boolean some) {
            this.of = of;
            this.some = some;
        }

        @Override
        public String get(int index) {
            of.width++;
            return "row";
        }

        @Override
        public int size() {
            return some ? 1 : 0;
        }
    }

    static final class CalmRows extends AbstractList<String> {
        private final int count;

        CalmRows(int count) {
            this.count = count;
        }

        @Override
        public String get(int index) {
            return "row";
        }

        @Override
        public int size() {
            return count;
        }
    }
}
