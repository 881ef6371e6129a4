package substrate.agent.state;

import java.io.File;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** The class that the app was started with. */
final class MainClass {
    private MainClass() {}

    /** Its name; null: not known. */
    static String find() {
        try {
            String command = System.getProperty("sun.java.command");
            if (command == null || command.isEmpty()) return null;
            int space = command.indexOf(' ');
            String first = space < 0 ? command : command.substring(0, space);
            if (first.endsWith(".jar")) return ofJar(System.getProperty("java.class.path"));
            int module = first.indexOf('/');
            return module < 0 ? first : first.substring(module + 1);
        } catch (Throwable unreadable) {
            return null;
        }
    }

    private static String ofJar(String path) throws java.io.IOException {
        if (path == null || !new File(path).isFile()) return null;
        JarFile jar = new JarFile(path);
        try {
            Manifest manifest = jar.getManifest();
            if (manifest == null) return null;
            Attributes attributes = manifest.getMainAttributes();
            String start = attributes.getValue("Start-Class");
            return start != null ? start : attributes.getValue("Main-Class");
        } finally {
            jar.close();
        }
    }
}
