package substrate.boot;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.security.AllPermission;
import java.security.CodeSource;
import java.security.Permissions;
import java.security.ProtectionDomain;
import java.security.SecureClassLoader;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Defines the classes of the payload from memory, so that the jar can be deleted. */
final class Loader extends SecureClassLoader {
    private final Map<String, byte[]> classes;
    private final boolean isNative;

    Loader(File jar, boolean isNative) throws IOException {
        super(platform());
        this.classes = read(jar);
        this.isNative = isNative;
    }

    /** The parent is not the program's loader: the classes of program and agent must not be mixed up. */
    private static ClassLoader platform() {
        try {
            return (ClassLoader) ClassLoader.class.getMethod("getPlatformClassLoader").invoke(null);
        } catch (Exception java8) {
            // Nothing is lost: Java 8 has another way, which follows.
            return ClassLoader.getSystemClassLoader().getParent();
        }
    }

    private static Map<String, byte[]> read(File jar) throws IOException {
        Map<String, byte[]> classes = new HashMap<String, byte[]>();
        byte[] buffer = new byte[32 * 1024];
        ZipInputStream zip = new ZipInputStream(new FileInputStream(jar));
        try {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                int length = 0;
                for (int count = 0; count >= 0; count = zip.read(buffer, length, buffer.length - length)) {
                    length += count;
                    if (length == buffer.length) buffer = Arrays.copyOf(buffer, length * 2);
                }
                classes.put(entry.getName(), Arrays.copyOf(buffer, length));
            }
        } finally {
            zip.close();
        }
        return classes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String path = name.replace('.', '/');
        byte[] bytes = classes.get(path + ".class");
        if (bytes == null) throw new ClassNotFoundException(name);
        Class<?> type = isNative
            ? Boot.define(this, path, bytes)
            : defineClass(name, bytes, 0, bytes.length, allowedEverything());
        classes.remove(path + ".class");
        return type;
    }

    private ProtectionDomain allowedEverything() {
        Permissions all = new Permissions();
        all.add(new AllPermission());
        return new ProtectionDomain(new CodeSource(null, (Certificate[]) null), all, this, null);
    }
}
