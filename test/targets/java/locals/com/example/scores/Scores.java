package com.example.scores;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;

/** All that it has is in local variables of main. Each line of input is one more name. */
public final class Scores {
    private static final class Settings {
        final String language = "en";
        final int rounds = 3;
    }

    private static final class Game {
        String player = "Ada";
    }

    private Scores() {}

    public static void main(String[] args) {
        {
            // It shares its place with `game`, and more of the code is in its reach.
            Settings settings = new Settings();
            for (int round = 0; round < settings.rounds; round++) {
                if (settings.language == null) throw new IllegalStateException("no language in " + settings);
                if (settings.language.isEmpty()) throw new IllegalStateException("an empty language in " + settings);
                if (settings.language.length() > 10) throw new IllegalStateException(settings.language + " is long");
                if (settings.rounds > 10) throw new IllegalStateException(settings.rounds + " are many in " + settings);
                if (settings.rounds < 1) throw new IllegalStateException(settings.rounds + " are few, in " + settings);
                if (settings.rounds == 7) throw new IllegalStateException(settings.rounds + " are odd, in " + settings);
            }
        }
        Game game = new Game();
        List<String> names = new ArrayList<>();
        List<Integer> points = new ArrayList<>();
        points.add(7);
        int[][] board = {{1, 0}, {0, 2}};
        Map<Integer, Integer> wins = new HashMap<>();
        wins.put(2, 4);
        System.out.println("ready");
        Scanner input = new Scanner(System.in);
        while (input.hasNextLine()) names.add(input.nextLine());
        System.out.println(game.player + names + points + board.length + wins);
    }
}
