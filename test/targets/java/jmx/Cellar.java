import java.util.Arrays;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/** One bean in a server of its own: beans of the JDK, and what they need, are not there. */
public final class Cellar implements CellarMBean {
    @Override
    public int getShelves() {
        return 3;
    }

    @Override
    public List<String> getBottles() {
        return Arrays.asList("red", "white");
    }

    public static void main(String[] args) throws Exception {
        MBeanServer server = MBeanServerFactory.createMBeanServer();
        server.registerMBean(new Cellar(), new ObjectName("com.example.cellar:type=Cellar"));
        System.out.println("ready");
        Thread.sleep(Long.MAX_VALUE);
    }
}
