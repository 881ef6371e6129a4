package substrate.agent;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;

/**
 * The pipes `<folder>/in` and `<folder>/out`, made by the daemon, where Java has no unix sockets. Opening a pipe blocks
 * until the other side has opened it, too: the daemon opens `in` for writing, then `out` for reading. A pipe cannot
 * distinguish two daemons: there is one connection at a time.
 */
final class FifoListener implements Listener {
    /** A daemon whose connection was closed needs a moment to close the pipes. */
    private static final long PAUSE_MS = 50;
    private static final long END_MS = 1000;
    private final File in;
    private final File out;
    private Pipes current;
    private boolean isOpening;
    private boolean isClosed;

    FifoListener(File folder) throws IOException {
        in = new File(folder, "in");
        out = new File(folder, "out");
        if (!in.exists() || !out.exists()) throw new IOException("no pipes in " + folder);
    }

    @Override
    public Link accept() throws IOException {
        awaitFree();
        FileInputStream input = null;
        FileOutputStream output = null;
        try {
            input = new FileInputStream(in);
            if (mayOpen()) output = new FileOutputStream(out);
        } finally {
            if (!opened(input, output)) {
                if (input != null) input.close();
                if (output != null) output.close();
            }
        }
        return current();
    }

    private synchronized void awaitFree() throws IOException {
        try {
            while (!isClosed && current != null) wait();
            if (!isClosed) wait(PAUSE_MS);
        } catch (InterruptedException end) {
            isClosed = true;
        }
        if (isClosed) throw new IOException("closed");
        isOpening = true;
    }

    private synchronized boolean opened(FileInputStream input, FileOutputStream output) {
        isOpening = false;
        notifyAll();
        if (isClosed || input == null || output == null) return false;
        current = new Pipes(input, output);
        return true;
    }

    private synchronized boolean mayOpen() {
        return !isClosed;
    }

    private synchronized Link current() throws IOException {
        if (current == null) throw new IOException("closed");
        return current;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        notifyAll();
        long start = System.nanoTime();
        try {
            // Repeated: the thread may be just about to block on the second pipe.
            while (isOpening && System.nanoTime() - start < END_MS * 1000000) {
                touch(in, false);
                touch(out, false);
                wait(5);
            }
        } catch (InterruptedException end) {
            // A thread that still waits for a daemon is released by the next one.
        }
    }

    /**
     * A pipe opened for reading and writing never blocks, and releases a thread that waits for the other side. A byte
     * wakes a reader.
     */
    private static void touch(File pipe, boolean write) {
        try {
            if (!pipe.exists()) return;
            RandomAccessFile both = new RandomAccessFile(pipe, "rw");
            try {
                if (write) both.write(0);
            } finally {
                both.close();
            }
        } catch (IOException gone) {
            // No thread waits for this pipe then.
        }
    }

    private synchronized void left(Pipes pipes) {
        if (current == pipes) current = null;
        notifyAll();
    }

    private final class Pipes implements Link {
        private final FileInputStream input;
        private final FileOutputStream output;
        private volatile boolean isReading;
        private volatile boolean isLeft;

        Pipes(FileInputStream input, FileOutputStream output) {
            this.input = input;
            this.output = output;
        }

        @Override
        public int read(byte[] into, int at, int count) throws IOException {
            isReading = true;
            try {
                int got = isLeft ? -1 : input.read(into, at, count);
                return isLeft ? -1 : got;
            } finally {
                isReading = false;
            }
        }

        @Override
        public void write(byte[] bytes, int count) throws IOException {
            output.write(bytes, 0, count);
        }

        @Override
        public void close() {
            synchronized (this) {
                if (isLeft) return;
                isLeft = true;
            }
            if (isReading) touch(in, true);
            try {
                output.close();
                input.close();
            } catch (IOException closed) {
                // The files are closed, even if close throws.
            }
            left(this);
        }
    }
}
