package com.example.kiosk;

import java.util.ArrayList;
import java.util.List;

/** A class of Kotlin with `companion object { val known = mutableListOf<String>() }`. */
public final class Shop {
    public static final Companion Companion = new Companion();
    private static final List<String> known = new ArrayList<>();

    static {
        known.add("corner shop");
    }

    public static final class Companion {
        private Companion() {}
    }
}
