package com.example.hostile;

/** Whoever calls a method of it is heard. */
public class Trap {
    public int value = 7;

    private static void sprung(String method) {
        System.out.println("SPRUNG " + method);
    }

    @Override
    public String toString() {
        sprung("toString");
        return "trap";
    }

    @Override
    public int hashCode() {
        sprung("hashCode");
        return 1;
    }

    @Override
    public boolean equals(Object other) {
        sprung("equals");
        return false;
    }

    public int getValue() {
        sprung("getValue");
        return value++;
    }
}
