package com.example.coffeeshop;

import java.time.LocalDate;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A shop that nothing but a variable of main() holds; a barista's thread works on its orders. */
public final class Main {
    public static void main(String[] args) throws Exception {
        CoffeeShop shop = new CoffeeShop("Corner Café", LocalDate.of(2019, 5, 17));
        shop.welcome("Ada", Guest.Status.REGULAR);
        shop.welcome("Grace", Guest.Status.NEW);
        shop.price("espresso", 2.2);
        shop.price("flat white", 3.4);
        BlockingQueue<String> orders = new LinkedBlockingQueue<String>();
        Thread barista = new Thread(new Barista(shop, orders), "barista");
        barista.setDaemon(true);
        barista.start();
        System.out.println("open");
        for (int letter = System.in.read(); letter != 'q'; letter = System.in.read()) {
            if (letter == 'o') orders.put("espresso");
            if (letter < 0) Thread.sleep(Long.MAX_VALUE);
        }
        System.out.println("closed after " + shop.served());
    }
}
