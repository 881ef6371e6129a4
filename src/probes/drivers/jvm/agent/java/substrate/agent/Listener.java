package substrate.agent;

import java.io.IOException;

/** Where daemons come in. */
interface Listener {
    /** Waits for the next one. Throws when the listener is closed. */
    Link accept() throws IOException;

    /** From any thread: whoever waits in `accept` comes back. */
    void close();
}
