package com.example.act;

import java.util.List;

/** Overloads whose parameters have the same names. */
public final class Chooser {
    public String pick(int value) { return "int"; }
    public String pick(long value) { return "long"; }
    public String pick(double value) { return "double"; }
    public String pick(String value) { return "text"; }
    public String pick(List<String> value) { return "list"; }
    public String pick(Object value) { return "any"; }
    public String either(int one, long other) { return "first"; }
    public String either(long one, int other) { return "second"; }
}
