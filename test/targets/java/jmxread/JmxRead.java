import com.sun.tools.attach.VirtualMachine;
import java.util.Locale;
import java.util.Set;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The waiting times of a JMX client: the agent and the connection, then all attributes. Arguments: pid, rounds. */
public class JmxRead {
    public static void main(String[] args) throws Exception {
        long began = System.nanoTime();
        VirtualMachine machine = VirtualMachine.attach(args[0]);
        String address = machine.startLocalManagementAgent();
        machine.detach();
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            server.getMBeanCount();
            print("connect", System.nanoTime() - began);
            for (int round = 0; round < Integer.parseInt(args[1]); round++) {
                long start = System.nanoTime();
                int read = readAll(server);
                print("read " + read, System.nanoTime() - start);
            }
        }
    }

    private static int readAll(MBeanServerConnection server) throws Exception {
        int read = 0;
        Set<ObjectName> names = server.queryNames(null, null);
        for (ObjectName name : names) {
            for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
                try {
                    server.getAttribute(name, attribute.getName());
                    read++;
                } catch (Exception unreadable) {
                    // Some are not supported here; a client skips them.
                }
            }
        }
        return read;
    }

    private static void print(String what, long ns) {
        System.out.println(what + " " + String.format(Locale.ROOT, "%.3f", ns / 1e6));
    }
}
