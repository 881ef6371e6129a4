package substrate.agent;

import java.io.IOException;

/** A connection to a daemon, as bytes. */
interface Link {
    /** At least one byte; -1 at the end. */
    int read(byte[] into, int at, int count) throws IOException;

    /** All of them. */
    void write(byte[] bytes, int count) throws IOException;

    /** From any thread: whoever reads comes back. */
    void close();
}
