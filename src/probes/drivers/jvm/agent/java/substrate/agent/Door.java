package substrate.agent;

import java.io.IOException;

/** Where daemons come in. */
interface Door {
    /** Waits for the next one. Throws when the door is closed. */
    Link accept() throws IOException;

    /** From any thread: whoever waits in `accept` comes back. */
    void close();
}
