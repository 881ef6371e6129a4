package com.example.kiosk;

import java.io.IOException;

/** Classes as the compilers of Scala and Kotlin make them, and the collections of Scala's own library. */
public final class Kiosk {
    private Kiosk() {}

    public static void main(String[] args) throws IOException {
        Object[] started = {Till$.MODULE$, package$.MODULE$, Ledger.INSTANCE, Shop.Companion, ShelfKt.getBooks()};
        System.out.println("ready with " + started.length);
        while (System.in.read() >= 0) {
            Till$.MODULE$.add("line");
            System.out.println("added");
        }
    }
}
