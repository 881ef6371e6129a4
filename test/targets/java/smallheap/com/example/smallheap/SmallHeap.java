package com.example.smallheap;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Statistics by statement, as pools of connections keep them, and long texts: far more characters than heap. */
public class SmallHeap {
    static final class Stat {
        long calls;
        long rows;
        long errors;
        long shortest;
        long longest;
        long total;
        long waited;
        long retried;
    }

    static final class Statistics {
        final Map<String, Stat> byStatement = new HashMap<>();
        final List<String> plans = new ArrayList<>();
        int connections = 3;
    }

    private static String repeat(char letter, int count) {
        StringBuilder text = new StringBuilder();
        while (text.length() < count) text.append(letter);
        return text.toString();
    }

    public static void main(String[] args) throws Exception {
        Statistics statistics = new Statistics();
        String rest = repeat('s', 900);
        for (int number = 0; number < 6000; number++) statistics.byStatement.put("select " + number + rest, new Stat());
        String plan = repeat('p', 4000);
        for (int number = 0; number < 2000; number++) statistics.plans.add(number + plan);
        System.out.println("ready");
        while (System.in.read() >= 0) statistics.connections++;
        System.out.println(statistics);
    }
}
