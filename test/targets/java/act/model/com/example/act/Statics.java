package com.example.act;

/** Its static fields are the state. */
public final class Statics {
    static int count = 3;

    private Statics() {}

    public static int raise(int by) {
        count += by;
        return count;
    }

    public static int getCount() {
        return count;
    }

    public static void main(String[] args) {}

    public void notStatic() {}
}
