import java.util.HashMap;
import java.util.Map;
import javax.swing.JFrame;
import javax.swing.JTextField;
import javax.swing.SwingUtilities;

/** A variable of its main method is called as its window is. */
public final class Namesake {
    private Namesake() {}

    public static void main(String[] args) throws Exception {
        Map<String, Integer> window = new HashMap<>();
        window.put("opened", 1);
        SwingUtilities.invokeAndWait(() -> {
            JFrame frame = new JFrame("Namesake");
            frame.add(new JTextField("text", 20));
            frame.pack();
            frame.setVisible(true);
        });
        System.out.println("ready");
        while (window.size() < 2) Thread.sleep(100);
    }
}
