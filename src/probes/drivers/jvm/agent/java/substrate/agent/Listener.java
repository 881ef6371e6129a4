package substrate.agent;

import java.io.IOException;

/** Accepts the connections of daemons. */
interface Listener {
    /** Waits for the next one. Throws when the listener is closed. */
    Link accept() throws IOException;

    /** May be called from any thread: a blocked `accept` returns. */
    void close();
}
