package substrate.agent.code;

import static substrate.agent.code.ConstantPool.u2;
import static substrate.agent.code.ConstantPool.u4;

import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;

import substrate.agent.health.Discarded;

/** The contents of a class file beyond reflection: names of variables, and instructions. */
public final class ClassFile {
    static final int SYNTHETIC = 0x1000;
    private static final int MAX_CACHED = 500;
    private static final int MAX_CACHED_BYTES = 1024 * 1024;
    private static final ClassFile NONE = new ClassFile();
    private static final Map<Class<?>, ClassFile> CACHE = new WeakHashMap<Class<?>, ClassFile>();
    private static int cachedBytes;

    final byte[] bytes;
    final ConstantPool pool;
    final String name;
    private final Map<String, MethodCode> methods = new LinkedHashMap<String, MethodCode>();
    /** Access flags of the static fields, by name. */
    private final Map<String, Integer> staticFields = new HashMap<String, Integer>();
    /** The offset of each entry of the bootstrap methods. */
    private int[] bootstraps = new int[0];

    private ClassFile() {
        bytes = null;
        pool = null;
        name = null;
    }

    private ClassFile(byte[] bytes) {
        if (u2(bytes, 0) != 0xcafe || u2(bytes, 2) != 0xbabe) throw new IllegalArgumentException("no class file");
        this.bytes = bytes;
        pool = new ConstantPool(bytes, 8);
        name = pool.nameAt(u2(bytes, pool.end + 2));
        int at = pool.end + 8 + 2 * u2(bytes, pool.end + 6);
        at = readFields(at);
        int count = u2(bytes, at);
        at += 2;
        for (; count > 0; count--) {
            MethodCode method = new MethodCode(this, pool, at);
            methods.put(method.name + method.descriptor, method);
            at = method.end;
        }
        readAttributes(at);
    }

    /** Throws IllegalArgumentException on anything that is no class file. */
    public static ClassFile parse(byte[] bytes) {
        try {
            return new ClassFile(bytes);
        } catch (IndexOutOfBoundsException cutShort) {
            Discarded.count("ClassFile.parse", cutShort);
            throw new IllegalArgumentException("malformed class file");
        }
    }

    /** The parsed file of a loaded class; null if its bytes cannot be read without running code of the app. */
    public static ClassFile of(Class<?> type) {
        synchronized (CACHE) {
            ClassFile known = CACHE.get(type);
            if (known != null) return known == NONE ? null : known;
        }
        ClassFile file = NONE;
        try {
            byte[] bytes = bytesOf(type);
            if (bytes != null) file = parse(bytes);
        } catch (IllegalArgumentException malformed) {
            // A malformed file counts as missing.
            Discarded.count("ClassFile.of", malformed);
        }
        synchronized (CACHE) {
            if (CACHE.size() >= MAX_CACHED || cachedBytes > MAX_CACHED_BYTES) forgetAll();
            CACHE.put(type, file);
            cachedBytes += file == NONE ? 0 : file.bytes.length;
        }
        return file == NONE ? null : file;
    }

    /** Frees the parsed files: they take more memory than the facts taken from them. */
    static void forgetAll() {
        synchronized (CACHE) {
            CACHE.clear();
            cachedBytes = 0;
            ClassBytes.forgetBuffer();
        }
    }

    /** The bytes are not kept: frequent callers use `of`. */
    public static byte[] bytesOf(Class<?> type) {
        return ClassBytes.of(type);
    }

    /**
     * The variable in a slot of a method; null if there is no name. Of several that share the slot, the one that is
     * live at the place.
     */
    public String localName(String method, String descriptor, int slot, int place) {
        MethodCode code = method(method, descriptor);
        if (code == null) return null;
        try {
            String local = code.localName(slot, place, false);
            if (local != null) return local;
            String[] names = code.parameterNames();
            int[] slots = Descriptor.slots(descriptor);
            for (int index = 0; names != null && index < slots.length; index++) {
                if (slots[index] + (code.isStatic() ? 0 : 1) == slot) return names[index];
            }
        } catch (RuntimeException malformed) {
            Discarded.count("ClassFile.localName", malformed);
            return null;
        }
        return null;
    }

    /** The parameter names of a method, or of a constructor as `<init>`; null if there are none. */
    public String[] parameterNames(String method, String descriptor) {
        MethodCode code = method(method, descriptor);
        return code == null ? null : code.parameterNames();
    }

    public MethodCode method(String method, String descriptor) {
        return method(method + descriptor);
    }

    /** The key is name and descriptor in one. */
    public MethodCode method(String key) {
        return methods.get(key);
    }

    /** Name and descriptor of each method, in the order of the file. */
    public Iterable<String> methodKeys() {
        return methods.keySet();
    }

    public Iterable<MethodCode> methods() {
        return methods.values();
    }

    /** The access flags of the field; null if the class itself has no such field. */
    Integer staticField(String field) {
        return staticFields.get(field);
    }

    /** True if the class makes maps that are ordered by access. */
    boolean makesMapsByAccess() {
        return pool.hasMember("java/util/LinkedHashMap", "<init>", "(IFZ)V");
    }

    /** Owner, name and descriptor of the method that makes the result of an invokedynamic. */
    String[] bootstrapMethod(int index) {
        return pool.member(pool.handle(u2(bytes, bootstraps[index])));
    }

    /** The static argument of a bootstrap method, as an index into the constants; 0 if it has none. */
    int bootstrapArgument(int index, int argument) {
        int at = bootstraps[index];
        return argument < u2(bytes, at + 2) ? u2(bytes, at + 4 + argument * 2) : 0;
    }

    /**
     * The names that lambdas use for captured values; `factory` is the descriptor from the captured types to the
     * interface. A name is null unless it is the same in all lambdas of this descriptor; the result is null where one
     * of them is a method reference.
     */
    String[] capturedNames(String factory, int count) {
        String[] names = null;
        for (int index = 1; index < pool.size(); index++) {
            if (!pool.isDynamic(index) || !pool.dynamic(index)[1].equals(factory)) continue;
            String[] more = namesGiven(pool.bootstrapOf(index), count);
            if (more == null) return null;
            for (int at = 0; names != null && at < count; at++)
                if (more[at] != null && !more[at].equals(names[at])) more[at] = null;
            names = more;
        }
        return names;
    }

    private String[] namesGiven(int bootstrap, int count) {
        int handle = bootstrapArgument(bootstrap, 1);
        if (handle == 0 || pool.tag(handle) != ConstantPool.METHOD_HANDLE) return null;
        String[] member = pool.member(pool.handle(handle));
        boolean isLambda = member[0].equals(name) && member[1].startsWith("lambda$");
        MethodCode code = isLambda ? method(member[1], member[2]) : null;
        String[] parameters = code == null ? null : code.parameterNames();
        // The captured `this` is no parameter.
        int before = code == null || code.isStatic() ? 0 : 1;
        if (parameters == null || count - before > parameters.length) return null;
        String[] names = new String[count];
        for (int at = before; at < count; at++) names[at] = parameters[at - before];
        return names;
    }

    /** The end of the part, if it is inside the file. */
    static int within(byte[] bytes, int at, int length) {
        if (length > bytes.length - at) throw new IllegalArgumentException("cut short");
        return at + length;
    }

    private int readFields(int at) {
        int count = u2(bytes, at);
        at += 2;
        for (; count > 0; count--) {
            int access = u2(bytes, at);
            if (Modifier.isStatic(access)) staticFields.put(pool.utf8(u2(bytes, at + 2)), access);
            int attributes = u2(bytes, at + 6);
            at += 8;
            for (; attributes > 0; attributes--) at = within(bytes, at + 6, u4(bytes, at + 2));
        }
        return at;
    }

    private void readAttributes(int at) {
        int count = u2(bytes, at);
        at += 2;
        for (; count > 0; count--) {
            int length = u4(bytes, at + 2);
            if (pool.utf8(u2(bytes, at)).equals("BootstrapMethods")) readBootstraps(at + 6);
            at = within(bytes, at + 6, length);
        }
    }

    private void readBootstraps(int at) {
        bootstraps = new int[u2(bytes, at)];
        at += 2;
        for (int index = 0; index < bootstraps.length; index++) {
            bootstraps[index] = at;
            at += 4 + 2 * u2(bytes, at + 2);
        }
    }
}
