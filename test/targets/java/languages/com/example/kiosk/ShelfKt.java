package com.example.kiosk;

import java.util.ArrayList;
import java.util.List;

/** The top-level functions of Kotlin's file Shelf.kt. */
public final class ShelfKt {
    private static final List<String> books = new ArrayList<>();
    private static int readers = 2;

    static {
        books.add("Emma");
    }

    public static List<String> getBooks() {
        return books;
    }
}
