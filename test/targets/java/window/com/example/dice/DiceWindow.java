package com.example.dice;

import java.util.ArrayList;
import java.util.List;
import javax.swing.JButton;
import javax.swing.JFrame;
import javax.swing.JPanel;
import javax.swing.SwingUtilities;

/** A window whose state nothing holds but its own parts: a panel, and a listener's outer object. */
public final class DiceWindow {
    private final List<Integer> throwsSoFar = new ArrayList<>();

    /** A component with state of its own. */
    static final class Table extends JPanel {
        private static final long serialVersionUID = 1L;
        private final String[] seats = {"Ada", "Grace"};
        private int turn = 1;

        void next() {
            turn = (turn + 1) % seats.length;
        }
    }

    /** One of many: what windows are built of. */
    static final class Pip extends JPanel {
        private static final long serialVersionUID = 1L;
        final List<String> marks = new ArrayList<>();
    }

    private void show() {
        Table table = new Table();
        JButton button = new JButton("Throw");
        button.addActionListener(new java.awt.event.ActionListener() {
            @Override
            public void actionPerformed(java.awt.event.ActionEvent event) {
                throwsSoFar.add(throwsSoFar.size() * 5 % 6 + 1);
                table.next();
            }
        });
        for (int at = 0; at < 5; at++) table.add(new Pip());
        table.add(button);
        JFrame frame = new JFrame("Dice");
        frame.add(table);
        frame.pack();
        frame.setVisible(true);
        System.out.println("ready");
    }

    public static void main(String[] args) {
        SwingUtilities.invokeLater(new Runnable() {
            @Override
            public void run() {
                new DiceWindow().show();
            }
        });
    }
}
