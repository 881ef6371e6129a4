package com.example.hostile;

/** Loaded, and never initialised by the program itself. */
class Dormant {
    static {
        System.out.println("SPRUNG initialiser");
    }

    static int secrets = 5;
}
