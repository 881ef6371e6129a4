package substrate.agent;

import java.io.IOException;

/** A connection to a daemon, as bytes. */
interface Link {
    /** Reads at least one byte; -1 at the end. */
    int read(byte[] into, int at, int count) throws IOException;

    /** Writes all of them. */
    void write(byte[] bytes, int count) throws IOException;

    /** May be called from any thread: a blocked `read` returns. */
    void close();
}
