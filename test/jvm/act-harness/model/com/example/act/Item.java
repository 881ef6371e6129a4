package com.example.act;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

public class Item extends Thing {
    static int made;
    String sku;
    BigDecimal price;
    Status status;
    List<Item> parts = new ArrayList<>();

    Item() {
        made++;
    }

    public enum Status {
        NEW, PAID { @Override public String toString() { return "paid!"; } };
    }

    String text() {
        return sku + " " + price + " " + (status == null ? null : status.name()) + " " + weight + " " + parts.size();
    }
}

class Thing {
    int weight;
}
