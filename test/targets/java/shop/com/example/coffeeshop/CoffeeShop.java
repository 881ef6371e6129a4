package com.example.coffeeshop;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class CoffeeShop {
    private final String name;
    private final LocalDate opened;
    private final Map<String, Double> prices = new LinkedHashMap<String, Double>();
    private final List<Guest> guests = new ArrayList<Guest>();
    private int served;

    CoffeeShop(String name, LocalDate opened) {
        this.name = name;
        this.opened = opened;
    }

    public synchronized int welcome(String guest, Guest.Status status) {
        guests.add(new Guest(guest, status));
        return guests.size();
    }

    public synchronized void price(String drink, double euros) {
        prices.put(drink, euros);
    }

    public synchronized int serve(String drink) {
        if (!prices.containsKey(drink)) throw new IllegalArgumentException("we have no " + drink);
        return ++served;
    }

    public synchronized int served() {
        return served;
    }

    @Override
    public String toString() {
        return name + ", since " + opened;
    }
}
