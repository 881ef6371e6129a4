package com.example.act;

/** Its static fields are the state. */
public final class Statics {
    static final int LIMIT = Integer.parseInt("2");
    static int count = 3;

    private Statics() {}

    public static int raise(int by) {
        count += by;
        return count;
    }

    public static int getCount() {
        return count;
    }

    /** A tool: it has nothing to do with the state. */
    public static int twice(int number) {
        return number * LIMIT;
    }

    public static void main(String[] args) {}

    public void notStatic() {}
}
