import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.LinkedHashMap;
import java.util.Map;

/** Computes without a pause over a state of 2,500 items of four values; says how far it is for each line that it reads. */
public final class Job {
    static final class Item {
        final int id;
        String name;
        long count;
        double price;

        Item(int id) {
            this.id = id;
            this.name = "item " + id;
        }
    }

    private static final int ITEMS = 2500;
    private static final Map<Integer, Item> ITEMS_BY_ID = new LinkedHashMap<>();
    private static volatile long operations;

    public static void main(String[] args) {
        for (int id = 0; id < ITEMS; id++) ITEMS_BY_ID.put(id, new Item(id));
        Thread answers = new Thread(Job::answer, "answers");
        answers.setDaemon(true);
        answers.start();
        System.out.println("ready");
        int seed = 1;
        for (long done = 0;; done++) {
            seed = seed * 1103515245 + 12345;
            Item item = ITEMS_BY_ID.get((seed >>> 8) % ITEMS);
            item.count++;
            item.price = Math.sqrt(item.price + (seed & 1023));
            if ((done & 1023) == 0) {
                item.name = "item " + done;
                operations = done;
            }
        }
    }

    private static void answer() {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        try {
            while (lines.readLine() != null) System.out.println(operations + " " + System.nanoTime());
        } catch (java.io.IOException gone) {
            return;
        }
        System.exit(0);
    }
}
