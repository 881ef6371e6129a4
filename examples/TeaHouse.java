import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A small program for trying substrate out. It knows nothing of it: its state is in a local variable of main. */
public class TeaHouse {
    private final Map<String, Integer> stock = new LinkedHashMap<>(Map.of("sencha", 12));
    private final List<Order> orders = new ArrayList<>();
    private double takings;

    static class Order {
        final String guest;
        final String tea;
        boolean served;

        Order(String guest, String tea) {
            this.guest = guest;
            this.tea = tea;
        }
    }

    public int order(String guest, String tea) {
        if (stock.getOrDefault(tea, 0) == 0) throw new IllegalArgumentException("there is no " + tea);
        stock.merge(tea, -1, Integer::sum);
        orders.add(new Order(guest, tea));
        takings += 3.5;
        return orders.size();
    }

    public static void main(String[] args) throws Exception {
        TeaHouse house = new TeaHouse();
        house.order("Ada", "sencha");
        System.out.println("The tea house is open. Ctrl-C closes it.");
        while (true) {
            Thread.sleep(5000);
            for (Order order : house.orders) order.served = true;
        }
    }
}
