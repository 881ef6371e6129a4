package com.example.bakery;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Only a local variable of main holds the context, as in most Spring programs. */
public class BakeryApplication {
    public static void main(String[] args) throws Exception {
        AnnotationConfigApplicationContext context =
            new AnnotationConfigApplicationContext(OvenService.class, OrderBook.class);
        context.getBean(OrderBook.class).place("rye", 2);
        System.out.println("ready");
        synchronized (context) {
            while (context.isActive()) context.wait();
        }
    }
}
