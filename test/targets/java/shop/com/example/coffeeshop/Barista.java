package com.example.coffeeshop;

import java.util.concurrent.BlockingQueue;

final class Barista implements Runnable {
    private final CoffeeShop shop;
    private final BlockingQueue<String> orders;

    Barista(CoffeeShop shop, BlockingQueue<String> orders) {
        this.shop = shop;
        this.orders = orders;
    }

    @Override
    public void run() {
        try {
            while (true) shop.serve(orders.take());
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
