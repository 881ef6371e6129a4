package com.example.graph;

import java.util.ArrayList;
import java.util.List;

/** Holds the graph in a static field. */
public final class Program {
    static World world = new World();
    /** A long table that never changes. */
    static final List<String> GLOSSARY = glossary();

    public static void main(String[] args) throws Exception {
        System.out.println("ready " + GLOSSARY.size() + Registry.INSTANCE.entries);
        for (int letter = System.in.read(); letter >= 0; letter = System.in.read()) {}
        Thread.sleep(Long.MAX_VALUE);
    }

    private static List<String> glossary() {
        List<String> words = new ArrayList<String>();
        for (int at = 0; at < 600; at++) words.add("word " + at);
        return words;
    }
}
