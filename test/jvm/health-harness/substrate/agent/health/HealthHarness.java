package substrate.agent.health;

import com.example.Subject;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import substrate.agent.json.JsonReader;
import substrate.agent.state.RootSource;
import substrate.agent.state.StateReader;
import substrate.agent.vm.InstrumentedVm;
import substrate.agent.vm.NativeVm;
import substrate.agent.vm.Pace;
import substrate.agent.vm.StackLocal;
import substrate.agent.vm.Vm;

/** Runs the case that is named, and writes what a daemon would be sent: one line for each report. */
public final class HealthHarness {
    private static final HealthReport REPORT = new HealthReport();

    private HealthHarness() {}

    public static void main(String[] args) throws Exception {
        HealthHarness.class.getDeclaredMethod(args[0]).invoke(null);
        if (args[0].equals("reports")) return;
        tell(true);
    }

    private static void tell(boolean all) {
        StringBuilder out = new StringBuilder("{\"all\":").append(all);
        REPORT.write(out, all);
        System.out.println(out.append('}'));
    }

    static void reports() {
        tell(true);
        tell(false);
        Discarded.count("Walk.read", new IllegalStateException("a secret"));
        Parts.miss("swing", "windows are not read", new NoClassDefFoundError("javax/swing/JFrame"));
        tell(false);
        tell(false);
        Discarded.count("Walk.read", new NullPointerException());
        tell(false);
        Parts.miss("swing", "another problem");
        Parts.miss("jmx", "beans are not read", new IllegalStateException("a secret"));
        tell(false);
        Parts.have("swing");
        tell(false);
        tell(true);
    }

    static void manyPlaces() {
        for (int at = 0; at < 100; at++) Discarded.count("Place.number" + at, new Error());
        for (int at = 0; at < 40; at++) Parts.miss("part_" + at, new String(new char[1000]).replace('\0', 'x'));
    }

    static void manyThreads() throws Exception {
        List<Thread> threads = new ArrayList<Thread>();
        for (int number = 0; number < 8; number++) {
            Thread thread = new Thread(new Runnable() {
                @Override
                public void run() {
                    for (int at = 0; at < 20000; at++) Discarded.count("Place.number" + at % 10, new Error());
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) thread.join();
    }

    static void oddNames() {
        class Größe extends RuntimeException {
            private static final long serialVersionUID = 1L;
        }
        Discarded.count("Walk.umlaut", new Größe());
        Discarded.count("Walk.nothing", null);
        Discarded.count("Walk.anonymous", new RuntimeException() {
            private static final long serialVersionUID = 1L;
        });
    }

    /** After a hello, which loads the classes that count. */
    static void noMemory() {
        tell(true);
        String place = "Walk.full";
        List<long[]> hoard = new ArrayList<long[]>();
        int size = 1 << 20;
        try {
            for (;;) {
                try {
                    hoard.add(new long[size]);
                } catch (OutOfMemoryError full) {
                    if (size == 1) throw full;
                    size /= 2;
                }
            }
        } catch (OutOfMemoryError full) {
            for (int at = 0; at < 1000; at++) Discarded.count(place, full);
            hoard = null;
        }
    }

    /** A JVM that gives nothing to an agent without the native library. */
    static void instrumented() {
        Instrumentation refusing = (Instrumentation) Proxy.newProxyInstance(
            HealthHarness.class.getClassLoader(), new Class<?>[] {Instrumentation.class}, new InvocationHandler() {
                @Override
                public Object invoke(Object proxy, Method method, Object[] args) {
                    throw new UnsupportedOperationException("a secret");
                }
            });
        new InstrumentedVm(refusing);
    }

    /** See Natives beside this: JVMTI refuses. */
    static void natives() {
        NativeVm vm = new NativeVm(1);
        vm.loadedClasses();
        vm.cpuNanos();
        vm.stackLocals(100);
        vm.open(String.class);
    }

    /** A JDK whose classes are of another version: none of the known fields is there. */
    static void unknownJdk() {
        Subject.fill();
        Vm vm = new Vm() {
            @Override
            public Class<?>[] loadedClasses() {
                return new Class<?>[] {Subject.class};
            }

            @Override
            public boolean isInitialised(Class<?> type) {
                return true;
            }

            @Override
            public boolean open(Class<?> type) {
                return type == Subject.class;
            }

            @Override
            public StackLocal[] stackLocals(int max) {
                return new StackLocal[0];
            }

            @Override
            public boolean seesStacks() {
                return true;
            }

            @Override
            public long cpuNanos() {
                return System.nanoTime();
            }
        };
        StateReader reader = new StateReader(vm, 1000, Pace.free(vm), Collections.<RootSource>emptyList());
        reader.learn((Map<?, ?>) JsonReader.parse(System.getProperty("tables")));
        reader.capture(true, false);
    }
}
