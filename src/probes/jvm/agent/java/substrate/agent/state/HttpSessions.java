package substrate.agent.state;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

import substrate.agent.read.Entry;
import substrate.agent.read.Record;
import substrate.agent.read.Shapes;
import substrate.agent.read.Slot;
import substrate.agent.vm.Vm;

/** The sessions of web servers. Their ids are secrets and stay out. */
final class HttpSessions {
    /** Class of the manager, its map of sessions, then the ways to: attributes, time of creation, time of last use. */
    private static final String[][] SERVERS = {
        {"org.apache.catalina.session.ManagerBase", "sessions", "attributes", "creationTime", "lastAccessedTime"},
        {"org.eclipse.jetty.server.session.DefaultSessionCache", "_sessions",
            "_sessionData._attributes", "_sessionData._created", "_sessionData._accessed"},
        {"org.eclipse.jetty.session.DefaultSessionCache", "_sessions",
            "_sessionData._attributes", "_sessionData._created", "_sessionData._accessed"},
        {"io.undertow.server.session.InMemorySessionManager", "sessions", "attributes", "creationTime", "lastAccessed"},
    };
    static final String NAME = "sessions";
    private static final int MAX_SESSIONS = 1000;

    private final Vm vm;
    private final Shapes shapes;
    private List<WeakReference<Object>> managers = new ArrayList<WeakReference<Object>>();

    HttpSessions(Vm vm, Shapes shapes) {
        this.vm = vm;
        this.shapes = shapes;
    }

    static boolean isManager(Object object) {
        return serverOf(object) != null;
    }

    void take(List<Object> found) {
        managers = new ArrayList<WeakReference<Object>>();
        for (Object manager : found) managers.add(new WeakReference<Object>(manager));
    }

    /** The root of all sessions as they are now; null: there is no server of this kind. */
    Found root() {
        if (managers.isEmpty()) return null;
        List<Record> records = new ArrayList<Record>();
        for (WeakReference<Object> reference : managers) {
            Object manager = reference.get();
            String[] server = manager == null ? null : serverOf(manager);
            if (server == null) continue;
            for (Entry entry : shapes.entriesOf(way(manager, server[1]))) {
                if (records.size() == MAX_SESSIONS) break;
                if (entry.value == null) continue;
                records.add(new Record()
                    .put("creationTime", way(entry.value, server[3]))
                    .put("lastAccessedTime", way(entry.value, server[4]))
                    .put("attributes", way(entry.value, server[2])));
            }
        }
        return Found.made(new Root(NAME, "HTTP sessions", null, records.toArray()));
    }

    private static String[] serverOf(Object object) {
        for (String[] server : SERVERS) if (Lineage.has(object, server[0])) return server;
        return null;
    }

    private Object way(Object from, String names) {
        Object at = from;
        int begin = 0;
        while (at != null && begin >= 0) {
            int dot = names.indexOf('.', begin);
            Slot slot = Slot.find(vm, at.getClass(), dot < 0 ? names.substring(begin) : names.substring(begin, dot));
            at = slot == null ? null : slot.get(at);
            begin = dot < 0 ? -1 : dot + 1;
        }
        return at;
    }
}
