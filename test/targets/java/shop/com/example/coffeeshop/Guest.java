package com.example.coffeeshop;

public final class Guest {
    public enum Status { NEW, REGULAR, VIP }

    private final String name;
    private Status status;

    Guest(String name, Status status) {
        this.name = name;
        this.status = status;
    }

    public String name() {
        return name;
    }

    public void setStatus(Status status) {
        this.status = status;
    }
}
