package com.example.hostile;

import java.util.AbstractList;
import java.util.Iterator;

/** Loads its elements when asked for them. */
class LazyList extends AbstractList<String> {
    int loaded;

    @Override
    public String get(int index) {
        System.out.println("SPRUNG get");
        loaded++;
        return "element";
    }

    @Override
    public int size() {
        System.out.println("SPRUNG size");
        return 3;
    }

    @Override
    public Iterator<String> iterator() {
        System.out.println("SPRUNG iterator");
        return super.iterator();
    }
}
