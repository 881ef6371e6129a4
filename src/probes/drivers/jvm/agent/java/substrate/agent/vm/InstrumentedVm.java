package substrate.agent.vm;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

import substrate.agent.health.Discarded;
import substrate.agent.health.Parts;

/** The VM through java.lang.instrument, where the native library could not be loaded. It cannot read stacks. */
public final class InstrumentedVm implements Vm {
    private final Instrumentation instrumentation;
    private final Modules modules = new Modules(new Modules.Opener() {
        @Override
        public boolean open(Object module, String packageName, Object to) throws Exception {
            return redefine(module, packageName, to);
        }
    });
    /** An Unsafe, and its `shouldBeInitialized`; both null if there is none. */
    private Object unsafe;
    private Method shouldBeInitialised;

    public InstrumentedVm(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
        // The daemon has the reason, and reports the library.
        Parts.miss("stacks", "the agent is without its native library: objects that only local variables hold are not found");
        findUnsafe();
    }

    @Override
    public Class<?>[] loadedClasses() {
        return instrumentation.getAllLoadedClasses();
    }

    @Override
    public boolean isInitialised(Class<?> type) {
        try {
            return unsafe != null && !(Boolean) shouldBeInitialised.invoke(unsafe, type);
        } catch (Exception refused) {
            Discarded.count("InstrumentedVm.isInitialised", refused);
            return false;
        }
    }

    @Override
    public synchronized boolean open(Class<?> type) {
        return modules.open(type);
    }

    @Override
    public StackLocal[] stackLocals(int max) {
        return new StackLocal[0];
    }

    @Override
    public boolean seesStacks() {
        return false;
    }

    @Override
    public long cpuNanos() {
        return System.nanoTime();
    }

    /** `sun.misc.Unsafe` is used in Java 8 only: later it warns, and finally loses the method. */
    private void findUnsafe() {
        try {
            Class<?> type = unsafeClass();
            Field instance = type.getDeclaredField("theUnsafe");
            if (!open(type)) throw new IllegalAccessException();
            instance.setAccessible(true);
            shouldBeInitialised = type.getMethod("shouldBeInitialized", Class.class);
            shouldBeInitialised.setAccessible(true);
            unsafe = instance.get(null);
        } catch (Exception none) {
            Discarded.count("InstrumentedVm.findUnsafe", none);
            unsafe = null;
            Parts.miss("static_fields", "static fields are not read, nor windows and management beans found", none);
        }
    }

    private static Class<?> unsafeClass() throws ClassNotFoundException {
        try {
            return Class.forName("jdk.internal.misc.Unsafe", true, null);
        } catch (ClassNotFoundException java8) {
            return Class.forName("sun.misc.Unsafe", true, null);
        }
    }

    /** `redefineModule(module, no reads, no exports, opens, no uses, no provides)`. */
    private boolean redefine(Object module, String packageName, Object to) throws Exception {
        Class<?> type = module.getClass();
        Map<String, Set<Object>> opens = Collections.singletonMap(packageName, Collections.singleton(to));
        Method redefine = Instrumentation.class.getMethod(
            "redefineModule", type, Set.class, Map.class, Map.class, Set.class, Map.class);
        redefine.invoke(instrumentation, module, Collections.emptySet(), Collections.emptyMap(), opens,
            Collections.emptySet(), Collections.emptyMap());
        return true;
    }
}
