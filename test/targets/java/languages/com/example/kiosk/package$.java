package com.example.kiosk;

/** `package object kiosk` of Scala. */
public final class package$ {
    public static final package$ MODULE$ = new package$();
    private int opened = 8;

    private package$() {}
}
