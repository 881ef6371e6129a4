package substrate.agent;

import java.io.File;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;

/** The socket `<folder>/agent.sock`. Java has such sockets since version 16: they are reached by reflection. */
final class UnixListener implements Listener {
    /** The JDK copies all bytes through native memory of this size, and keeps one such buffer for each thread. */
    private static final int CHUNK = 16 * 1024;
    private final File file;
    private final ServerSocketChannel server;

    UnixListener(File folder) throws Exception {
        file = new File(folder, "agent.sock");
        file.delete();
        SocketAddress address = (SocketAddress) Class.forName("java.net.UnixDomainSocketAddress")
            .getMethod("of", String.class).invoke(null, file.getPath());
        server = (ServerSocketChannel) ServerSocketChannel.class.getMethod("open", ProtocolFamily.class)
            .invoke(null, StandardProtocolFamily.valueOf("UNIX"));
        try {
            server.bind(address);
            // The folder is private already; this protects a folder that somebody opened up.
            Files.setPosixFilePermissions(file.toPath(),
                EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
        } catch (Exception refused) {
            close();
            throw refused;
        }
    }

    @Override
    public Link accept() throws IOException {
        return new Socket(server.accept());
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException closed) {
            // The socket is closed, even if close throws.
        }
        file.delete();
    }

    private static final class Socket implements Link {
        private final SocketChannel channel;

        Socket(SocketChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read(byte[] into, int at, int count) throws IOException {
            return channel.read(ByteBuffer.wrap(into, at, Math.min(count, CHUNK)));
        }

        @Override
        public void write(byte[] bytes, int count) throws IOException {
            for (int at = 0; at < count; ) {
                at += channel.write(ByteBuffer.wrap(bytes, at, Math.min(count - at, CHUNK)));
            }
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException closed) {
                // The socket is closed, even if close throws.
            }
        }
    }
}
