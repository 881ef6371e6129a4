package com.example.ledger;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Much state, and nothing to do. Argument: accounts, of four values each. With each line on standard input it says how
 * many bytes the thread that captures has allocated.
 */
public class Ledger {
    static final class Account {
        final String owner;
        String city = "Bergen";
        long balance;
        boolean open = true;

        Account(int number) {
            owner = "owner " + number;
            balance = number * 10L;
        }
    }

    static final List<Account> accounts = new ArrayList<>();

    public static void main(String[] args) throws IOException {
        for (int at = 0; at < Integer.parseInt(args[0]); at++) accounts.add(new Account(at));
        // As in a program that has run for a while: a first collection takes memory of its own.
        System.gc();
        System.out.println("ready");
        for (int read; (read = System.in.read()) >= 0; ) if (read == '\n') tell();
    }

    private static void tell() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (Thread thread : Thread.getAllStackTraces().keySet())
            if (thread.getName().equals("substrate-capture"))
                System.out.println("allocated " + threads.getThreadAllocatedBytes(thread.getId()));
    }
}
