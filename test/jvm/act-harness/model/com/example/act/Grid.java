package com.example.act;

import javax.swing.table.AbstractTableModel;

/** Part of a window: it belongs to the event thread. */
public final class Grid extends AbstractTableModel {
    private static final long serialVersionUID = 1L;
    private volatile boolean released;

    @Override
    public int getRowCount() {
        return 2;
    }

    @Override
    public int getColumnCount() {
        return 3;
    }

    @Override
    public Object getValueAt(int row, int column) {
        return row * column;
    }

    public boolean isOnEventThread() {
        return java.awt.EventQueue.isDispatchThread();
    }

    public void block() {
        while (!released) Thread.yield();
    }

    /** From any thread: the event thread may be the one that waits. */
    void release() {
        released = true;
    }
}
