package substrate.agent.jmx;

import java.lang.ref.WeakReference;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The identity of a bean: its name, and its server by reference. Servers are never compared by equals. */
final class BeanKey {
    private final WeakReference<MBeanServer> server;
    private final String name;
    private final int hash;

    BeanKey(MBeanServer server, ObjectName name) {
        this.server = new WeakReference<MBeanServer>(server);
        this.name = name.getCanonicalName();
        hash = System.identityHashCode(server) * 31 + this.name.hashCode();
    }

    /** Null if the server is gone. */
    MBeanServer server() {
        return server.get();
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) return true;
        if (!(other instanceof BeanKey)) return false;
        BeanKey key = (BeanKey) other;
        MBeanServer own = server.get();
        return own != null && own == key.server.get() && name.equals(key.name);
    }
}
