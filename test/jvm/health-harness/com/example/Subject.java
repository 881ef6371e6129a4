package com.example;

import java.util.ArrayList;
import java.util.List;

public final class Subject {
    static final List<String> NAMES = new ArrayList<String>();

    private Subject() {}

    public static void fill() {
        NAMES.add("Ada");
    }
}
