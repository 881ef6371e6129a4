package com.example.kiosk;

import java.util.ArrayList;
import java.util.List;

/** `object Ledger` of Kotlin. */
public final class Ledger {
    public static final Ledger INSTANCE = new Ledger();
    private static final List<String> entries = new ArrayList<>();

    private Ledger() {}

    static {
        entries.add("opened");
    }
}
