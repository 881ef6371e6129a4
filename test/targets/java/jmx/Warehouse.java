import java.beans.ConstructorProperties;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/** Management beans of several kinds. A line on its input registers one more, or removes it again. */
public final class Warehouse {
    public interface ShelfMBean {
        int getItems();

        String getLabel();

        void setLabel(String label);

        /** Throws. */
        String getBroken();

        /** Takes a moment. */
        int getSlow() throws InterruptedException;

        int getBrokenCalls();

        int getSlowCalls();

        int restock(int count);

        int restock(int count, String reason);

        String turn(Side side);

        String ship(Parcel parcel, javax.management.ObjectName from);

        void burn();

        /** Says nowhere that it only reads. */
        String inventory(String prefix);

        void hang() throws InterruptedException;
    }

    public enum Side {
        LEFT, RIGHT
    }

    public static final class Parcel {
        String to;
        int weight;
    }

    public static final class Shelf implements ShelfMBean {
        private final AtomicInteger items = new AtomicInteger(5);
        private final AtomicInteger brokenCalls = new AtomicInteger();
        private final AtomicInteger slowCalls = new AtomicInteger();
        private volatile String label = "tea";

        @Override
        public int getItems() {
            return items.get();
        }

        @Override
        public String turn(Side side) {
            return "to the " + side;
        }

        @Override
        public String ship(Parcel parcel, javax.management.ObjectName from) {
            return parcel.to + " " + parcel.weight + " " + from.getKeyProperty("name");
        }

        @Override
        public String getLabel() {
            return label;
        }

        @Override
        public void setLabel(String label) {
            this.label = label;
        }

        @Override
        public String getBroken() {
            brokenCalls.incrementAndGet();
            throw new IllegalStateException("cannot be read");
        }

        @Override
        public int getSlow() throws InterruptedException {
            slowCalls.incrementAndGet();
            Thread.sleep(300);
            return 7;
        }

        @Override
        public int getBrokenCalls() {
            return brokenCalls.get();
        }

        @Override
        public int getSlowCalls() {
            return slowCalls.get();
        }

        @Override
        public int restock(int count) {
            return items.addAndGet(count);
        }

        @Override
        public int restock(int count, String reason) {
            label = reason;
            return items.addAndGet(count);
        }

        @Override
        public void burn() {
            throw new IllegalStateException("no fire here");
        }

        @Override
        public String inventory(String prefix) {
            return prefix + label;
        }

        @Override
        public void hang() throws InterruptedException {
            Thread.sleep(60000);
        }
    }

    public static final class Load {
        private final int used;
        private final String zone;

        @ConstructorProperties({"used", "zone"})
        public Load(int used, String zone) {
            this.used = used;
            this.zone = zone;
        }

        public int getUsed() {
            return used;
        }

        public String getZone() {
            return zone;
        }
    }

    public interface ClimateMXBean {
        Load getLoad();

        Load[] getLoads();

        Map<String, Integer> getTemperatures();

        Load measure(String zone);
    }

    public static final class Climate implements ClimateMXBean {
        @Override
        public Load getLoad() {
            return new Load(42, "north");
        }

        @Override
        public Load[] getLoads() {
            return new Load[] {new Load(1, "east"), new Load(2, "west")};
        }

        @Override
        public Map<String, Integer> getTemperatures() {
            Map<String, Integer> temperatures = new LinkedHashMap<>();
            temperatures.put("cold room", 4);
            return temperatures;
        }

        @Override
        public Load measure(String zone) {
            return new Load(9, zone);
        }
    }

    public interface DoorMBean {
        boolean isOpen();

        void setOpen(boolean open);
    }

    public static final class Door implements DoorMBean {
        private volatile boolean open;

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void setOpen(boolean open) {
            this.open = open;
        }
    }

    public interface GateMBean {
        int getPassed() throws InterruptedException;

        int getWaiting();

        /** From now on the getter blocks. */
        void close();

        void open();
    }

    public static final class Gate implements GateMBean {
        private final AtomicInteger passed = new AtomicInteger();
        private volatile CountDownLatch opened = new CountDownLatch(0);

        @Override
        public int getPassed() throws InterruptedException {
            opened.await();
            return passed.get();
        }

        @Override
        public int getWaiting() {
            return 0;
        }

        @Override
        public void close() {
            opened = new CountDownLatch(1);
        }

        @Override
        public void open() {
            passed.incrementAndGet();
            opened.countDown();
        }
    }

    public interface DepotMBean {
        String getCity();

        void move(String city);

        /** Releases the server of the first. */
        void outlive();
    }

    /** One of the same name with each of two servers. */
    public static final class Depot implements DepotMBean {
        private static MBeanServer first;
        private volatile String city;

        Depot(String city) throws Exception {
            this.city = city;
            MBeanServer server = MBeanServerFactory.createMBeanServer(city);
            server.registerMBean(this, new ObjectName("com.example.warehouse:type=Depot"));
            if (first == null) first = server;
        }

        @Override
        public String getCity() {
            return city;
        }

        @Override
        public void move(String city) {
            this.city = city;
        }

        @Override
        public void outlive() {
            MBeanServerFactory.releaseMBeanServer(first);
        }
    }

    public static void main(String[] args) throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        server.registerMBean(new Shelf(), new ObjectName("com.example.warehouse:type=Shelf,name=main"));
        server.registerMBean(new Climate(), new ObjectName("com.example.warehouse:type=Climate"));
        for (String gate : new String[] {"north", "south", "east", "west"})
            server.registerMBean(new Door(), new ObjectName("com.example.warehouse:type=Door,name=" + gate));
        for (String lane : new String[] {"left", "right"})
            server.registerMBean(new Gate(), new ObjectName("com.example.warehouse:type=Gate,name=" + lane));
        for (String city : new String[] {"Oslo", "Bergen"}) new Depot(city);
        System.out.println("ready");
        ObjectName annex = new ObjectName("com.example.warehouse:type=Shelf,name=annex");
        while (System.in.read() >= 0) {
            if (server.isRegistered(annex)) server.unregisterMBean(annex);
            else server.registerMBean(new Shelf(), annex);
        }
    }
}
