package substrate.agent.state;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import substrate.agent.read.Entry;
import substrate.agent.read.Record;
import substrate.agent.read.Shapes;
import substrate.agent.read.Slot;
import substrate.agent.vm.Vm;

/** The sessions of web servers. Session ids are secrets and are not shown. */
final class HttpSessions {
    /**
     * Class of the manager, its map of sessions, then the field paths of: attributes, time of creation, time of last
     * use.
     */
    private static final String[][] SERVERS = {
        {"org.apache.catalina.session.ManagerBase", "sessions", "attributes", "creationTime", "lastAccessedTime"},
        {"org.eclipse.jetty.server.session.DefaultSessionCache", "_sessions",
            "_sessionData._attributes", "_sessionData._created", "_sessionData._accessed"},
        {"org.eclipse.jetty.session.DefaultSessionCache", "_sessions",
            "_sessionData._attributes", "_sessionData._created", "_sessionData._accessed"},
        {"io.undertow.server.session.InMemorySessionManager", "sessions", "attributes", "creationTime", "lastAccessed"},
    };
    private static final String NAME = "sessions";
    private static final int MAX_SESSIONS = 1000;

    private final Vm vm;
    private final Shapes shapes;
    private List<WeakReference<Object>> managers = new ArrayList<WeakReference<Object>>();
    /** Sessions in the order of the last report. */
    private List<WeakReference<Object>> lastShown = new ArrayList<WeakReference<Object>>();

    /** Ordered by creation, then by first sight: servers store them by id, so that a login would shift others. */
    private static final class Session implements Comparable<Session> {
        final Object object;
        final String[] server;
        final int rank;
        Object creation;

        Session(Object object, String[] server, int rank) {
            this.object = object;
            this.server = server;
            this.rank = rank;
        }

        @Override
        public int compareTo(Session other) {
            int byTime = Long.compare(millis(), other.millis());
            return byTime != 0 ? byTime : Integer.compare(rank, other.rank);
        }

        private long millis() {
            return creation instanceof Long ? (Long) creation : 0;
        }
    }

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

    /** The root of all current sessions; null if there is no server of this kind. */
    RootCandidate root() {
        if (managers.isEmpty()) return null;
        List<Session> sessions = sessions();
        Object[] records = new Object[sessions.size()];
        lastShown = new ArrayList<WeakReference<Object>>(records.length);
        for (int at = 0; at < records.length; at++) {
            Session session = sessions.get(at);
            lastShown.add(new WeakReference<Object>(session.object));
            records[at] = new Record()
                .put("creationTime", session.creation)
                .put("lastAccessedTime", way(session.object, session.server[4]))
                .put("attributes", way(session.object, session.server[2]));
        }
        return RootCandidate.made(NAME, "HTTP sessions", records);
    }

    private List<Session> sessions() {
        SeenObjects former = new SeenObjects();
        for (int at = 0; at < lastShown.size(); at++) {
            Object session = lastShown.get(at).get();
            if (session != null && former.find(session) < 0) former.add(session, at);
        }
        List<Session> sessions = new ArrayList<Session>();
        List<Session> others = new ArrayList<Session>();
        for (WeakReference<Object> reference : managers) {
            Object manager = reference.get();
            String[] server = manager == null ? null : serverOf(manager);
            if (server == null) continue;
            for (Entry entry : shapes.entriesOf(way(manager, server[1]))) {
                if (entry.value == null) continue;
                int rank = former.find(entry.value);
                if (rank >= 0) sessions.add(new Session(entry.value, server, rank));
                else others.add(new Session(entry.value, server, MAX_SESSIONS + others.size()));
            }
        }
        // Sessions that are shown already stay where there is no room for all.
        for (int at = 0; at < others.size() && sessions.size() < MAX_SESSIONS; at++) sessions.add(others.get(at));
        for (Session session : sessions) session.creation = way(session.object, session.server[3]);
        Collections.sort(sessions);
        return sessions;
    }

    private static String[] serverOf(Object object) {
        for (String[] server : SERVERS) if (AppClasses.isOf(server[0], object)) return server;
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
