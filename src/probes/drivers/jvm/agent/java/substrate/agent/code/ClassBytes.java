package substrate.agent.code;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import substrate.agent.health.Discarded;

/**
 * Reads the bytes of a class without running code of the app. A class loader of the app may do anything when it is
 * called: only those of the JDK are; otherwise the file is read that the class names as its source.
 */
final class ClassBytes {
    private static final int MAX_BYTES = 4 * 1024 * 1024;
    /** The buffer is reused: most classes are smaller. */
    private static byte[] buffer = new byte[0];

    private ClassBytes() {}

    static byte[] of(Class<?> type) {
        if (type.isArray() || type.isPrimitive()) return null;
        String name = type.getName();
        // A hidden class (`a.B$$Lambda/0x…`) has no file.
        if (name.indexOf('/') >= 0) return null;
        String file = name.replace('.', '/') + ".class";
        try {
            return isOfJdk(type.getClassLoader()) ? read(type.getResourceAsStream("/" + file)) : fromSource(type, file);
        } catch (IOException unreadable) {
            Discarded.count("ClassBytes.of", unreadable);
            return null;
        } catch (RuntimeException refused) {
            Discarded.count("ClassBytes.of", refused);
            return null;
        } catch (LinkageError broken) {
            Discarded.count("ClassBytes.of", broken);
            return null;
        } catch (OutOfMemoryError tooMuch) {
            Discarded.count("ClassBytes.of", tooMuch);
            return null;
        }
    }

    /** The path of the archive or folder that the class came from; null if it came from no file. */
    static String archiveOf(Class<?> type) {
        try {
            CodeSource source = type.getProtectionDomain().getCodeSource();
            URL location = source == null ? null : source.getLocation();
            if (location == null) return null;
            String path = decode(location.getPath());
            if (location.getProtocol().equals("file")) return path;
            return location.getProtocol().equals("jar") ? archiveIn(path) : null;
        } catch (IOException malformed) {
            Discarded.count("ClassBytes.archiveOf", malformed);
            return null;
        } catch (RuntimeException refused) {
            Discarded.count("ClassBytes.archiveOf", refused);
            return null;
        }
    }

    private static String archiveIn(String path) {
        int bang = path.indexOf('!');
        int colon = path.indexOf(':');
        if (bang < 0 || colon < 0 || colon > bang) return null;
        return path.substring(colon + 1, path.charAt(bang - 1) == '/' ? bang - 1 : bang);
    }

    private static boolean isOfJdk(ClassLoader loader) {
        if (loader == null) return true;
        Class<?> type = loader.getClass();
        if (type.getClassLoader() != null) return false;
        String name = type.getName();
        // java.net.URLClassLoader itself would ask its parent first, which may be the app's.
        return name.startsWith("jdk.internal.loader.ClassLoaders$") || name.startsWith("sun.misc.Launcher$");
    }

    private static byte[] fromSource(Class<?> type, String file) throws IOException {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        if (location == null) return null;
        // The text of the URL is not used: its handler may be the app's.
        String path = decode(location.getPath());
        if (location.getProtocol().equals("file")) return fromFile(path, file);
        return location.getProtocol().equals("jar") ? fromNested(path, file) : null;
    }

    /** `file:/app.jar!/BOOT-INF/classes!/` and `nested:/app.jar/!BOOT-INF/classes/!/`, as Spring Boot writes them. */
    private static byte[] fromNested(String path, String file) throws IOException {
        String archive = archiveIn(path);
        if (archive == null) return null;
        String folder = path.substring(path.indexOf('!') + 1).replace("!", "");
        while (folder.startsWith("/")) folder = folder.substring(1);
        while (folder.endsWith("/")) folder = folder.substring(0, folder.length() - 1);
        // A jar inside a jar would have to be unpacked from its beginning for each class.
        if (folder.endsWith(".jar")) return null;
        return fromFile(archive, folder.isEmpty() ? file : folder + "/" + file);
    }

    private static byte[] fromFile(String path, String file) throws IOException {
        File place = new File(path);
        if (place.isDirectory()) {
            File own = new File(place, file);
            return own.isFile() ? read(new FileInputStream(own)) : null;
        }
        if (!place.isFile()) return null;
        // While the app has the same file open, the JDK shares its table of contents.
        ZipFile zip = new ZipFile(place);
        try {
            ZipEntry entry = zip.getEntry(file);
            return entry == null ? null : read(zip.getInputStream(entry));
        } finally {
            zip.close();
        }
    }

    private static byte[] read(InputStream in) throws IOException {
        if (in == null) return null;
        try {
            synchronized (ClassBytes.class) {
                if (buffer.length == 0) buffer = new byte[64 * 1024];
                int length = 0;
                for (int count = 0; count >= 0; count = in.read(buffer, length, buffer.length - length)) {
                    length += count;
                    if (length > MAX_BYTES) return null;
                    if (length == buffer.length) buffer = Arrays.copyOf(buffer, length * 2);
                }
                return Arrays.copyOf(buffer, length);
            }
        } finally {
            in.close();
        }
    }

    /** Frees the buffer until the next read. */
    static synchronized void forgetBuffer() {
        buffer = new byte[0];
    }

    /** `%20` and the like; a plus sign stays one. */
    private static String decode(String path) throws IOException {
        if (path.indexOf('%') < 0) return path;
        return java.net.URLDecoder.decode(path.replace("+", "%2B"), "UTF-8");
    }
}
