package substrate.agent.code;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32;
import substrate.agent.health.Discarded;
import substrate.agent.vm.Vm;

/** Hashes of the files that classes come from, by which the daemon recognises facts that it has stored. */
public final class SourceHashes {
    private static final int MAX_FILES = 20000;
    private static final int MAX_DEPTH = 40;
    /** The end of an archive, with the longest possible comment. */
    private static final int TAIL = 22 + 65535;
    private static final int MAX_DIRECTORY = 16 * 1024 * 1024;
    private static final int END_OF_DIRECTORY = 0x06054b50;

    /** Hashes by the path of the archive or folder; an empty text if it cannot be read. */
    private final Map<String, String> hashes = new HashMap<String, String>();

    /** The hash of the class and its ancestors; null if one of them comes from no file. */
    public synchronized String of(Class<?> type) {
        Set<String> found = new TreeSet<String>();
        if (!add(found, type)) return null;
        StringBuilder text = new StringBuilder();
        for (String hash : found) text.append(text.length() == 0 ? "" : "+").append(hash);
        return text.toString();
    }

    private boolean add(Set<String> found, Class<?> type) {
        if (type == null || type.getClassLoader() == null) return true;
        String hash = hashOf(ClassBytes.archiveOf(type));
        if (hash.isEmpty()) return false;
        found.add(hash);
        for (Class<?> each : type.getInterfaces()) if (!add(found, each)) return false;
        return add(found, type.getSuperclass());
    }

    /**
     * Two hashes: of the files of all loaded classes, and of the list of these classes. Null if that is not possible.
     */
    public synchronized String[] ofLoaded(Vm vm) {
        try {
            return hashesOf(vm);
        } catch (RuntimeException refused) {
            Discarded.count("SourceHashes.ofLoaded", refused);
            return null;
        }
    }

    private String[] hashesOf(Vm vm) {
        Map<ProtectionDomain, Boolean> seen = new IdentityHashMap<ProtectionDomain, Boolean>();
        Set<String> archives = new TreeSet<String>();
        long loaded = 0;
        for (Class<?> type : vm.loadedClasses()) {
            if (type.getClassLoader() == null || type.isArray() || type.getName().startsWith("substrate.")) continue;
            loaded += mixed(plain(type.getName()), vm.isInitialised(type));
            if (seen.put(type.getProtectionDomain(), true) == null) archives.add(hashOf(ClassBytes.archiveOf(type)));
        }
        CRC32 crc = new CRC32();
        for (String hash : archives) add(crc, hash);
        return new String[] {Long.toHexString(crc.getValue()) + "-" + archives.size(), Long.toHexString(loaded)};
    }

    /** `Shop$$Lambda$14/0x7f…` without the suffix of the JVM, which differs from run to run. */
    private static String plain(String name) {
        int slash = name.indexOf('/');
        String own = slash < 0 ? name : name.substring(0, slash);
        int lambda = own.indexOf("$$Lambda");
        return lambda < 0 ? own : own.substring(0, lambda + 8);
    }

    private static long mixed(String name, boolean isInitialised) {
        long hash = isInitialised ? 0xcbf29ce484222325L : 0x84222325cbf29ce4L;
        for (int at = 0; at < name.length(); at++) hash = (hash ^ name.charAt(at)) * 0x100000001b3L;
        return hash;
    }

    private String hashOf(String path) {
        if (path == null) return "";
        String known = hashes.get(path);
        if (known == null) hashes.put(path, known = read(new File(path)));
        return known;
    }

    private static String read(File place) {
        try {
            CRC32 crc = new CRC32();
            if (place.isDirectory()) {
                int[] left = {MAX_FILES};
                return addFolder(crc, place, left, 0) ? Long.toHexString(crc.getValue()) + "-" + left[0] : "";
            }
            return place.isFile() ? archive(place) : "";
        } catch (IOException unreadable) {
            Discarded.count("SourceHashes.read", unreadable);
            return "";
        } catch (RuntimeException refused) {
            Discarded.count("SourceHashes.read", refused);
            return "";
        }
    }

    /** The directory of an archive has a checksum of each file in it. */
    private static String archive(File place) throws IOException {
        RandomAccessFile file = new RandomAccessFile(place, "r");
        try {
            long length = file.length();
            byte[] tail = bytes(file, Math.max(0, length - TAIL), (int) Math.min(TAIL, length));
            for (int at = tail.length - 22; at >= 0; at--) {
                if (number(tail, at) != END_OF_DIRECTORY) continue;
                long size = number(tail, at + 12) & 0xffffffffL;
                long begin = number(tail, at + 16) & 0xffffffffL;
                if (size > MAX_DIRECTORY || begin + size > length) return "";
                CRC32 crc = new CRC32();
                crc.update(bytes(file, begin, (int) size));
                return Long.toHexString(crc.getValue()) + "-" + Long.toHexString(length);
            }
            return "";
        } finally {
            file.close();
        }
    }

    private static byte[] bytes(RandomAccessFile file, long from, int count) throws IOException {
        byte[] bytes = new byte[count];
        file.seek(from);
        file.readFully(bytes);
        return bytes;
    }

    private static int number(byte[] bytes, int at) {
        return bytes[at] & 255 | (bytes[at + 1] & 255) << 8 | (bytes[at + 2] & 255) << 16 | bytes[at + 3] << 24;
    }

    /** False if there are too many files. */
    private static boolean addFolder(CRC32 crc, File folder, int[] left, int depth) {
        File[] files = folder.listFiles();
        if (files == null || depth > MAX_DEPTH) return false;
        Arrays.sort(files);
        for (File file : files) {
            if (--left[0] < 0) return false;
            boolean isFolder = file.isDirectory();
            if (isFolder && !addFolder(crc, file, left, depth + 1)) return false;
            if (isFolder || !file.getName().endsWith(".class")) continue;
            add(crc, file.getPath() + '|' + file.length() + '|' + file.lastModified());
        }
        return true;
    }

    private static void add(CRC32 crc, String text) {
        for (int at = 0; at < text.length(); at++) {
            crc.update(text.charAt(at) >> 8);
            crc.update(text.charAt(at) & 255);
        }
    }
}
