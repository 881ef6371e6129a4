package substrate.boot;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.util.jar.JarFile;

/**
 * The first code of the agent in a program, called by the native library or, where that cannot be loaded, by the JVM.
 * Nothing is thrown and nothing printed: the JVM would write it onto the program's standard error.
 *
 * Without the native library these classes are on the program's class path and stay as long as the program: they must
 * serve payloads of later versions, too.
 */
public final class Boot {
    private static boolean isTrusted;

    private Boot() {}

    /** Called by the native library. False if not started: the JVMTI environment is still the caller's. */
    static boolean start(String args, long jvmti) {
        return Starter.start(folder(args), args, Long.valueOf(jvmti));
    }

    /** Called by the JVM. */
    public static void agentmain(String args, Instrumentation instrumentation) {
        try {
            if (System.getSecurityManager() != null && !isTrusted) trust(args, instrumentation);
        } catch (Throwable refused) {
            // Nothing is lost: the start is refused, too, and its reason is in the file `error`.
        }
        Starter.start(folder(args), args, instrumentation);
    }

    /**
     * A SecurityManager forbids everything to classes on the class path, and allows everything to those of the
     * bootstrap loader. There the Starter is found first from now on. This is done only where it is needed: some
     * versions of Java print a warning.
     */
    private static void trust(String args, Instrumentation instrumentation) throws Exception {
        JarFile jar = new JarFile(new File(folder(args), "boot.jar"));
        try {
            instrumentation.appendToBootstrapClassLoaderSearch(jar);
            isTrusted = true;
        } finally {
            jar.close();
        }
    }

    /** `folder=/tmp/…;channel=…;build=…` */
    private static File folder(String args) {
        int from = args.indexOf("folder=") + "folder=".length();
        int to = args.indexOf(';', from);
        return new File(to < 0 ? args.substring(from) : args.substring(from, to));
    }

    /** Uses the protection domain of the JDK's own classes, which only JNI can. */
    static native Class<?> define(ClassLoader loader, String name, byte[] bytes);

    /** Bound by the native library, as are the natives that it binds. */
    static native boolean bind(Class<?> natives);
}
