package substrate.agent.act;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import substrate.agent.code.ClassFile;
import substrate.agent.code.SourceHashes;
import substrate.agent.code.TypeIds;
import substrate.agent.json.JsonReader;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.Holder;
import substrate.agent.vm.Pace;
import substrate.agent.vm.StackLocal;
import substrate.agent.vm.Vm;

/** Answers one line of JSON for each line of JSON: what the tests ask of the actions of a small shop. */
public final class ActHarness implements Vm {
    private static Instrumentation instrumentation;

    private final FakeShown shown = new FakeShown();
    private static final long BUDGET_NS = 30000000L;

    private final Map<String, MethodReporter> reporters = new LinkedHashMap<String, MethodReporter>();
    private final FakeShown few = new FakeShown(new ArrayList<Holder>());

    public static void premain(String args, Instrumentation given) {
        instrumentation = given;
    }

    public static void main(String[] args) throws Exception {
        ActHarness harness = new ActHarness();
        harness.begin();
        harness.shown.roots.put("shop", Class.forName("com.example.act.Shop").getConstructor().newInstance());
        harness.shown.roots.put("Statics", Class.forName("com.example.act.Statics"));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            StringBuilder out = new StringBuilder();
            JsonWriter.value(out, harness.answer((Map<?, ?>) JsonReader.parse(line)));
            System.out.write(out.append('\n').toString().getBytes("UTF-8"));
            System.out.flush();
        }
    }

    private Object answer(Map<?, ?> request) throws Exception {
        String op = (String) request.get("op");
        if (op.equals("methods")) return report((String) request.get("of"), request);
        if (op.equals("addPlace")) return addPlace();
        if (op.equals("invoke")) return invoke(request);
        if (op.equals("describe")) return describe((String) request.get("of"), request);
        if (op.equals("names")) return names(request);
        if (op.equals("fuzzClasses")) return Fuzz.classes(((Long) request.get("runs")).intValue());
        if (op.equals("calls")) return fieldOf(shown.find("shop.kitchen"), "calls");
        if (op.equals("releaseGrid")) return callNamed(shown.find("shop.grid"), "release");
        if (op.equals("rush")) return rush(((Long) request.get("calls")).intValue(), (Map<?, ?>) request.get("call"));
        if (op.equals("load")) return Class.forName((String) request.get("name")).getName();
        if (op.equals("made")) return fieldOf(Class.forName("com.example.act.Item"), "made");
        throw new IllegalArgumentException(op);
    }

    /** One for the shop, one where a class is met in a hundred places, one with answers too short for more than one class. */
    private void begin() throws Exception {
        reporters.put("shop", new MethodReporter(this, shown, Pace.free(this), BUDGET_NS, 0, 0));
        List<Holder> crowd = new ArrayList<Holder>();
        for (int at = 0; at < 100; at++) crowd.add(new Holder("a.carts" + at, types("Cart"), false, 2, 0));
        crowd.add(new Holder("a.b.c.shelf", types("Shelf"), false, 4, 0));
        crowd.add(new Holder("a.b.c.kitchen", types("Kitchen"), false, 4, 0));
        reporters.put("crowd", new MethodReporter(this, new FakeShown(crowd), Pace.free(this), BUDGET_NS, 0, 0));
        for (String name : new String[] {"Cart", "Shelf", "Kitchen"}) {
            few.holders().add(new Holder("a." + name, types(name), false, 2, 0));
        }
        reporters.put("few", new MethodReporter(this, few, Pace.free(this), 0, 0, 0));
    }

    private Object addPlace() throws Exception {
        few.holders().add(new Holder("a.Traps", types("Traps"), false, 2, 0));
        return few.version++;
    }

    private Object report(String of, Map<?, ?> request) {
        StringBuilder out = new StringBuilder();
        reporters.get(of).report(out, request);
        return JsonReader.parse(out.append(",\"costMs\":0}").toString());
    }

    private Object describe(String of, Map<?, ?> request) {
        StringBuilder out = new StringBuilder();
        reporters.get(of).describe(out, request, new Class<?>[0]);
        return JsonReader.parse(out.toString());
    }

    private Map<String, Object> invoke(Map<?, ?> request) {
        Map<String, Object> answer = new LinkedHashMap<String, Object>();
        try {
            Outcome outcome = reporters.get("shop").invoke((Map<?, ?>) request.get("call"),
                new Limit((Long) request.get("timeoutMs"), !Boolean.FALSE.equals(request.get("interrupt"))));
            answer.put("ok", outcome.ok);
            answer.put("message", outcome.message);
            answer.put("rawReturn", outcome.rawReturn);
            answer.put("context", outcome.context);
        } catch (BadArgument refused) {
            answer.put("refused", "argument");
            answer.put("message", refused.getMessage());
        } catch (NotDispatched gone) {
            answer.put("refused", gone instanceof Busy ? "busy" : "gone");
            answer.put("message", gone.getMessage());
        }
        answer.put("running", TimedCall.running());
        return answer;
    }

    /** So many calls at once of a method whose lock is taken; answers how many were refused, and why. */
    private Map<String, Object> rush(int calls, final Map<?, ?> call) throws Exception {
        final Map<String, Object> refusals = new java.util.TreeMap<String, Object>();
        Thread[] threads = new Thread[calls];
        synchronized (shown.find("shop.trouble")) {
            for (int at = 0; at < calls; at++) {
                threads[at] = new Thread() {
                    @Override
                    public void run() {
                        try {
                            reporters.get("shop").invoke(call, new Limit(300, true));
                        } catch (Exception refused) {
                            synchronized (refusals) {
                                Long count = (Long) refusals.get(refused.getMessage());
                                refusals.put(refused.getMessage(), count == null ? 1L : count + 1);
                            }
                        }
                    }
                };
                threads[at].start();
            }
            for (Thread thread : threads) thread.join();
        }
        return refusals;
    }

    /** The parameters of Cart as another class loader has it from a folder or jar; `source`: where it says it is. */
    private Map<String, Object> names(Map<?, ?> request) throws Exception {
        String place = (String) request.get("place");
        String source = (String) request.get("source");
        OwnLoader loader = new OwnLoader(new File(place).toURI().toURL());
        Class<?> cart = source == null ? loader.loadClass("com.example.act.Cart") : loader.defineCart(new URL(source));
        Map<String, Object> answer = new LinkedHashMap<String, Object>();
        List<Object> methods = new ArrayList<Object>();
        SayableTypes sayable = new SayableTypes();
        sayable.take((Map<?, ?>) request.get("sayable"));
        SourceHashes hashes = new SourceHashes();
        TypeDefinitions definitions = new TypeDefinitions(hashes);
        FactsWriter writer = new FactsWriter(shown, new TypeIds(), sayable, definitions, hashes);
        for (String facts : new ClassMethods(shown, Pace.free(this), writer, sayable).factsOf(cart)) {
            methods.add(JsonReader.parse(facts));
        }
        answer.put("methods", methods);
        ClassFile file = ClassFile.of(cart);
        answer.put("local", file == null ? "no bytes" : file.localName("addItem", "(Ljava/lang/String;I)I", 3, -1));
        loader.close();
        return answer;
    }

    private static Object callNamed(Object object, String name) throws Exception {
        java.lang.reflect.Method method = object.getClass().getDeclaredMethod(name);
        method.setAccessible(true);
        return method.invoke(object);
    }

    private static Object fieldOf(Object object, String name) throws Exception {
        Class<?> type = object instanceof Class ? (Class<?>) object : object.getClass();
        java.lang.reflect.Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }

    private static Class<?>[] types(String name) throws Exception {
        return new Class<?>[] {Class.forName("com.example.act." + name)};
    }

    @Override
    public Class<?>[] loadedClasses() {
        return instrumentation.getAllLoadedClasses();
    }

    @Override
    public boolean isInitialised(Class<?> type) {
        return !type.getName().equals("com.example.act.Traps$Sleeper");
    }

    @Override
    public boolean open(Class<?> type) {
        return true;
    }

    @Override
    public StackLocal[] stackLocals(int max) {
        return new StackLocal[0];
    }

    @Override
    public long cpuNanos() {
        return System.nanoTime();
    }

    @Override
    public boolean seesStacks() {
        return false;
    }

    /** One of the app's: it may not be asked for bytes. */
    private static final class OwnLoader extends URLClassLoader {
        OwnLoader(URL place) {
            super(new URL[] {place}, null);
        }

        Class<?> defineCart(URL source) throws Exception {
            byte[] bytes = ClassFile.bytesOf(Class.forName("com.example.act.Cart"));
            CodeSource says = new CodeSource(source, (Certificate[]) null);
            return defineClass("com.example.act.Cart", bytes, 0, bytes.length, says);
        }

        @Override
        public java.io.InputStream getResourceAsStream(String name) {
            throw new IllegalStateException("asked for " + name);
        }

        @Override
        public URL findResource(String name) {
            throw new IllegalStateException("asked for " + name);
        }
    }
}
