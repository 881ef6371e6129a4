package com.example.act;

import java.util.ArrayList;
import java.util.List;

public class Cart implements Comparable<Cart> {
    private final String owner;
    private final List<String> items = new ArrayList<>();
    private boolean open = true;
    private int total;

    public Cart(String owner) {
        this.owner = owner;
    }

    public int addItem(String sku, int quantity) {
        for (int left = quantity; left > 0; left--) items.add(sku);
        return items.size();
    }

    public String getOwner() {
        return owner;
    }

    public boolean isOpen() {
        return open;
    }

    public int getTotal() {
        return total + items.size();
    }

    public void setOpen(boolean open) {
        this.open = open;
    }

    public String at(int index) {
        return items.get(index);
    }

    public String under(String key) {
        return key + owner;
    }

    public String find(int id) {
        return "number " + id;
    }

    public String find(String name) {
        return "name " + name;
    }

    public String find(String name, int limit) {
        return "name " + name + " limit " + limit;
    }

    @Override
    public int compareTo(Cart other) {
        return owner.compareTo(other.owner);
    }
}
