package com.example.bakery;

import org.springframework.stereotype.Component;

@Component
public class OvenService {
    private final int slots = 4;
    private int temperature = 180;

    public void setTemperature(int celsius) {
        this.temperature = celsius;
    }

    public int freeSlots(int used) {
        return slots - used;
    }
}
