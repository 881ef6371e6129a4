package com.example.ferry;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Hundreds of virtual threads wait; one platform thread holds the model. */
public class Ferry {
    private int boarded;
    private final List<String> passengers = new ArrayList<>();

    public synchronized int board(String name) {
        passengers.add(name);
        return ++boarded;
    }

    public static void main(String[] args) throws Exception {
        Ferry ferry = new Ferry();
        CountDownLatch quay = new CountDownLatch(1);
        for (int number = 0; number < 500; number++) {
            String name = "passenger " + number;
            Thread.startVirtualThread(() -> {
                try {
                    quay.await();
                    ferry.board(name);
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        System.out.println("ready");
        while (ferry.boarded < 1000) Thread.sleep(200);
        quay.countDown();
    }
}
