package com.example.cart;

import java.util.ArrayList;
import java.util.List;

public class Cart {
    private final List<String> items = new ArrayList<>();
    private String coupon;

    public int add(String item) {
        items.add(item);
        return items.size();
    }

    public void setCoupon(String coupon) {
        this.coupon = coupon;
    }
}
