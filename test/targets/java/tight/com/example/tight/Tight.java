package com.example.tight;

import java.io.RandomAccessFile;
import java.lang.ref.SoftReference;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Never pauses by itself: each gap between two looks at the clock is somebody else's doing.
 * Arguments: leaves, megabytes of other objects, a file whose first 8 bytes hold the longest gap in ns (whoever wants to
 * measure anew writes zeros there). With each line on standard input two values change.
 */
public class Tight {
    static final class Item {
        String name;
        int count;
        double price;
        boolean sold;

        Item(int number) {
            name = "item " + number;
            count = number;
            price = number * 0.5;
        }
    }

    static final class Node {
        final int number;
        final Node next;

        Node(int number, Node next) {
            this.number = number;
            this.next = next;
        }
    }

    static final class Stock {
        final List<Item> items = new ArrayList<>();
        long changes;
    }

    static final Stock stock = new Stock();
    /** A cache is no state: only a heap of this size makes heap walks slow. */
    static SoftReference<Object[]> ballast;

    public static void main(String[] args) throws Exception {
        for (int at = 0; at * 4 < Integer.parseInt(args[0]); at++) stock.items.add(new Item(at));
        Object[] chains = new Object[Integer.parseInt(args[1])];
        for (int at = 0; at < chains.length; at++) chains[at] = chain(1024 * 1024 / 24);
        ballast = new SoftReference<>(chains);
        chains = null;
        Thread reader = new Thread(Tight::changeWhenTold, "reader");
        reader.setDaemon(true);
        reader.start();
        try (RandomAccessFile file = new RandomAccessFile(args[2], "rw")) {
            MappedByteBuffer longest = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 8);
            longest.order(ByteOrder.LITTLE_ENDIAN);
            System.out.println("ready");
            for (long before = System.nanoTime(); ; ) {
                long now = System.nanoTime();
                if (now - before > 100_000 && now - before > longest.getLong(0)) longest.putLong(0, now - before);
                before = now;
            }
        }
    }

    private static Node chain(int length) {
        Node head = null;
        for (int at = 0; at < length; at++) head = new Node(at, head);
        return head;
    }

    private static void changeWhenTold() {
        try {
            for (int read; (read = System.in.read()) >= 0; ) {
                if (read != '\n') continue;
                stock.changes++;
                stock.items.get(stock.items.size() / 2).count++;
            }
        } catch (java.io.IOException ended) {
            // Standard input is closed: nobody tells any more.
        }
    }
}
