package com.example.act;

import java.util.List;
import java.util.concurrent.CompletableFuture;

public final class Trouble {
    static volatile boolean released;
    public int entered;

    public void fail(String why) {
        throw new IllegalStateException(why);
    }

    public void failOddly() {
        throw new Odd("the real words");
    }

    public void overflow() {
        overflow();
    }

    public String nap(long ms) throws InterruptedException {
        Thread.sleep(ms);
        return "rested";
    }

    public void spin() {
        entered++;
        while (!released) {
            // Deaf to interrupts.
        }
    }

    /** Waits for whoever has the lock, deaf to interrupts. */
    public synchronized void locked() {
        entered++;
    }

    public Bulk bulk() {
        return new Bulk();
    }

    static final class Bulk {
        final String small = "small";
        final String large = "x".repeat(99_000);
        final String more = "y".repeat(99_000);
    }

    public List<String> fixed() {
        return List.of("a");
    }

    public long echo(long value) {
        return value;
    }

    public void release() {
        released = true;
    }

    public CompletableFuture<String> later() {
        return CompletableFuture.supplyAsync(() -> "at last");
    }

    public CompletableFuture<String> laterFails() {
        CompletableFuture<String> failed = new CompletableFuture<>();
        failed.completeExceptionally(new IllegalStateException("sold out"));
        return failed;
    }

    public CompletableFuture<String> never() {
        return new CompletableFuture<>();
    }

    public String contextLoader() {
        return String.valueOf(Thread.currentThread().getContextClassLoader() == Trouble.class.getClassLoader());
    }

    static final class Odd extends RuntimeException {
        static int asked;

        Odd(String message) {
            super(message);
        }

        @Override
        public String getMessage() {
            asked++;
            return "made up";
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            asked++;
            return super.getStackTrace();
        }
    }

    public int oddAsked() {
        return Odd.asked;
    }
}
