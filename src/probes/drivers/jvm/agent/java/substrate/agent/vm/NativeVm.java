package substrate.agent.vm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import substrate.agent.health.Parts;

/**
 * The VM through the native library. Each call holds this object's monitor, so that the JVMTI environment cannot be
 * disposed of meanwhile.
 */
public final class NativeVm implements Vm, AutoCloseable {
    /** The search for tagged objects takes the square of this. */
    private static final int MAX_LOCALS = 2000;
    /** Numbers that come with each local. */
    private static final int FACTS = 5;
    private static final int MAX_SKIPPED = 20000;
    private static final int MAX_WALKS = 3;

    private final Modules modules = new Modules(new Modules.Opener() {
        @Override
        public boolean open(Object module, String packageName, Object to) {
            return jvmti != 0 && Natives.open(jvmti, module, packageName, to);
        }
    });
    private final ClassLoader platform = NativeVm.class.getClassLoader().getParent();
    /** Methods of the JDK and of this agent on stacks, ascending: their locals are no state. */
    private long[] skipped = new long[0];
    private int round;
    /** Filled by each walk. */
    private Object[] objects = {};
    private long[] facts = {};
    /** Address of the JVMTI environment; 0 after its disposal. */
    private long jvmti;

    public NativeVm(long jvmti) {
        this.jvmti = jvmti;
    }

    @Override
    public synchronized void close() {
        if (jvmti != 0) Natives.dispose(jvmti);
        jvmti = 0;
    }

    @Override
    public synchronized Class<?>[] loadedClasses() {
        Class<?>[] loaded = jvmti == 0 ? null : Natives.loadedClasses(jvmti);
        if (loaded == null && jvmti != 0) Parts.miss("classes", "JVMTI does not list the classes: static fields are not read");
        return loaded == null ? new Class<?>[0] : loaded;
    }

    @Override
    public synchronized boolean isInitialised(Class<?> type) {
        return jvmti != 0 && Natives.isInitialised(jvmti, type);
    }

    @Override
    public synchronized boolean open(Class<?> type) {
        return modules.open(type);
    }

    @Override
    public boolean seesStacks() {
        return true;
    }

    @Override
    public synchronized long cpuNanos() {
        long nanos = jvmti == 0 ? -1 : Natives.cpuNanos(jvmti);
        if (nanos >= 0) return nanos;
        if (jvmti != 0) Parts.miss("cpu_time", "JVMTI does not measure the time of threads: the budget goes by the clock");
        return System.nanoTime();
    }

    /** Frames of the JDK may fill a first walk; they are known afterwards, so a second walk skips them. */
    @Override
    public synchronized StackLocal[] stackLocals(int max) {
        int room = Math.max(1, Math.min(max, MAX_LOCALS));
        for (int walk = 1; ; walk++) {
            if (jvmti == 0) return new StackLocal[0];
            if (objects.length != room) {
                objects = new Object[room];
                facts = new long[room * FACTS];
            }
            int count = Natives.stackLocals(jvmti, ++round & Integer.MAX_VALUE, skipped, objects, facts);
            if (count < 0) {
                Parts.miss("stacks", "JVMTI does not walk the stacks: objects that only local variables hold are not found");
                return new StackLocal[0];
            }
            Parts.have("stacks");
            int known = skipped.length;
            Map<Long, Object[]> methods = methods(facts, count);
            // One thread may take a quarter.
            boolean hidesSome = count >= room / 4 && skipped.length > known;
            StackLocal[] locals = hidesSome && walk < MAX_WALKS ? null : locals(objects, facts, count, methods);
            // No object of the app is kept.
            Arrays.fill(objects, null);
            if (locals != null) return locals;
        }
    }

    /**
     * Class, name and descriptor by method id; null for methods of the JDK and of this agent, which are skipped from
     * then on.
     */
    private Map<Long, Object[]> methods(long[] facts, int count) {
        Map<Long, Object[]> methods = new HashMap<Long, Object[]>();
        List<Long> foreign = new ArrayList<Long>();
        for (int at = 0; at < count; at++) {
            Long id = facts[at * FACTS + 3];
            if (methods.containsKey(id)) continue;
            Object[] method = Natives.method(jvmti, id);
            boolean isForeign = method != null && isSkipped((Class<?>) method[0]);
            methods.put(id, isForeign ? null : method);
            if (isForeign) foreign.add(id);
        }
        skip(foreign);
        return methods;
    }

    private void skip(List<Long> ids) {
        if (ids.isEmpty() || skipped.length + ids.size() > MAX_SKIPPED) return;
        long[] more = Arrays.copyOf(skipped, skipped.length + ids.size());
        for (int at = 0; at < ids.size(); at++) more[skipped.length + at] = ids.get(at);
        Arrays.sort(more);
        skipped = more;
    }

    private boolean isSkipped(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == platform || OwnClasses.has(type);
    }

    private static StackLocal[] locals(Object[] objects, long[] facts, int count, Map<Long, Object[]> methods) {
        List<StackLocal> locals = new ArrayList<StackLocal>();
        for (int at = 0; at < count; at++) {
            int fact = at * FACTS;
            Object[] method = methods.get(facts[fact + 3]);
            if (objects[at] == null || method == null) continue;
            locals.add(new StackLocal(objects[at], facts[fact], (int) facts[fact + 1], (int) facts[fact + 2],
                (int) facts[fact + 4], (Class<?>) method[0], (String) method[1], (String) method[2]));
        }
        return locals.toArray(new StackLocal[0]);
    }
}
