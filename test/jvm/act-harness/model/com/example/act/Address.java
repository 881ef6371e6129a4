package com.example.act;

public final class Address {
    private final String street;
    private final int number;

    public Address(String street, int number) {
        if (number < 0) throw new IllegalStateException("no such house");
        this.street = street;
        this.number = number;
    }

    String text() {
        return street + " " + number;
    }
}
