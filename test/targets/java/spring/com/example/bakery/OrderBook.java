package com.example.bakery;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

@Component
public class OrderBook {
    private final List<Order> orders = new ArrayList<>();
    private String apiToken = "tok_4f9a8b7c6d5e4f3a2b1c";

    static class Order {
        final String bread;
        final int loaves;

        Order(String bread, int loaves) {
            this.bread = bread;
            this.loaves = loaves;
        }
    }

    /** Tells what it is given. */
    public Object[] repeat(Order order) {
        return new Object[] {this, order.bread};
    }

    public int place(String bread, int loaves) {
        if (loaves < 1) throw new IllegalArgumentException("no loaves");
        orders.add(new Order(bread, loaves));
        return orders.size();
    }
}
