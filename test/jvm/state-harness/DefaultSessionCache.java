package org.eclipse.jetty.session;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Keeps sessions in fields of the names that those of the server have. */
public final class DefaultSessionCache implements Runnable {
    private final Map<String, Session> _sessions = new ConcurrentHashMap<>();
    public final CountDownLatch end = new CountDownLatch(1);

    private static final class Session {
        final SessionData _sessionData;

        Session(SessionData data) {
            _sessionData = data;
        }
    }

    private static final class SessionData {
        final Map<String, Object> _attributes = new HashMap<>();
        final long _created;
        final long _accessed;

        SessionData(long created) {
            _created = created;
            _accessed = created;
        }
    }

    public void login(String id, String user, long time) {
        Session session = new Session(new SessionData(time));
        session._sessionData._attributes.put("user", user);
        _sessions.put(id, session);
    }

    public void logout(String id) {
        _sessions.remove(id);
    }

    @Override
    public void run() {
        try {
            end.await();
        } catch (InterruptedException ended) {
            _sessions.clear();
        }
    }
}
