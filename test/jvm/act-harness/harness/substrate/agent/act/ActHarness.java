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
import substrate.agent.json.JsonReader;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.Holder;
import substrate.agent.vm.StackLocal;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/** Answers one line of JSON for each line of JSON: what the tests ask of the actions of a small shop. */
public final class ActHarness implements Vm {
    private static Instrumentation instrumentation;

    private final FakeShown shown = new FakeShown();
    private static final long BUDGET_NS = 30000000L;

    private final MethodActions actions = new MethodActions(this, shown, Pace.free(this), BUDGET_NS, 0, 0);

    public static void premain(String args, Instrumentation given) {
        instrumentation = given;
    }

    public static void main(String[] args) throws Exception {
        ActHarness harness = new ActHarness();
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
        if (op.equals("actions")) return allActions();
        if (op.equals("invoke")) return invoke(request);
        if (op.equals("names")) return names((String) request.get("place"), (String) request.get("source"));
        if (op.equals("fuzzClasses")) return Fuzz.classes(((Long) request.get("runs")).intValue());
        if (op.equals("fuzzJson")) return Fuzz.json(((Long) request.get("runs")).intValue());
        if (op.equals("crowd")) return crowd();
        if (op.equals("pieces")) return pieces();
        if (op.equals("calls")) return fieldOf(shown.find("shop.kitchen"), "calls");
        if (op.equals("releaseGrid")) return callNamed(shown.find("shop.grid"), "release");
        if (op.equals("rush")) return rush(((Long) request.get("calls")).intValue());
        if (op.equals("load")) return Class.forName((String) request.get("name")).getName();
        if (op.equals("made")) return fieldOf(Class.forName("com.example.act.Item"), "made");
        throw new IllegalArgumentException(op);
    }

    private List<Object> allActions() {
        List<Object> all = new ArrayList<Object>();
        for (ActionInfo info : settled(actions)) {
            Map<String, Object> json = new LinkedHashMap<String, Object>();
            json.put("binding", info.binding);
            json.put("name", info.name);
            json.put("returns", info.returns);
            json.put("effect", info.effect);
            json.put("description", info.description);
            List<Object> parameters = new ArrayList<Object>();
            for (Parameter parameter : info.parameters) {
                Map<String, Object> one = new LinkedHashMap<String, Object>();
                one.put("name", parameter.name);
                one.put("type", parameter.type);
                one.put("required", parameter.required);
                one.put("description", parameter.description);
                parameters.add(one);
            }
            json.put("parameters", parameters);
            all.add(json);
        }
        return all;
    }

    /** Looks are short: to prove all effects takes several. To list methods loads classes, and all is proven anew. */
    private static List<ActionInfo> settled(MethodActions actions) {
        List<ActionInfo> before;
        List<ActionInfo> now = actions.actions();
        do {
            before = now;
            now = actions.actions();
        } while (now != before || !actions.isSettled());
        return now;
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> invoke(Map<?, ?> request) {
        Map<String, Object> answer = new LinkedHashMap<String, Object>();
        try {
            Outcome outcome = actions.invoke((String) request.get("binding"), (Map<String, Object>) request.get("args"),
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
    private Map<String, Object> rush(int calls) throws Exception {
        final Map<String, Object> refusals = new java.util.TreeMap<String, Object>();
        Thread[] threads = new Thread[calls];
        synchronized (shown.find("shop.trouble")) {
            for (int at = 0; at < calls; at++) {
                threads[at] = new Thread() {
                    @Override
                    public void run() {
                        try {
                            actions.invoke("method:shop.trouble#locked", new LinkedHashMap<String, Object>(),
                                new Limit(300, true));
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
    private Map<String, Object> names(String place, String source) throws Exception {
        OwnLoader loader = new OwnLoader(new File(place).toURI().toURL());
        Class<?> cart = source == null ? loader.loadClass("com.example.act.Cart") : loader.defineCart(new URL(source));
        Map<String, Object> answer = new LinkedHashMap<String, Object>();
        for (List<Signature> named : new ClassMethods(shown, Pace.free(this)).of(cart).values()) {
            for (Signature signature : named) answer.put(signature.java, null);
        }
        ClassFile file = ClassFile.of(cart);
        answer.put("local", file == null ? "no bytes" : file.localName("addItem", "(Ljava/lang/String;I)I", 3, -1));
        loader.close();
        return answer;
    }

    /** How many actions of each class are shown where one class is met in a hundred places. */
    private Map<String, Object> crowd() throws Exception {
        List<Holder> holders = new ArrayList<Holder>();
        for (int at = 0; at < 100; at++) {
            holders.add(new Holder("a.carts" + at, types("Cart"), false, 2, 0));
        }
        holders.add(new Holder("a.b.c.shelf", types("Shelf"), false, 4, 0));
        holders.add(new Holder("a.b.c.kitchen", types("Kitchen"), false, 4, 0));
        List<ActionInfo> infos = settled(new MethodActions(this, new FakeShown(holders), Pace.free(this), BUDGET_NS, 0, 0));
        Map<String, Object> counts = new LinkedHashMap<String, Object>();
        for (ActionInfo info : infos) {
            String place = info.name.substring(0, info.name.lastIndexOf('.'));
            String holder = place.startsWith("a.carts") ? "carts" : place;
            Long count = (Long) counts.get(holder);
            counts.put(holder, count == null ? 1L : count + 1);
        }
        counts.put("first", infos.get(0).name);
        return counts;
    }

    /** How many actions are told when another holder comes, with looks that are too short for more than one of them. */
    private Map<String, Object> pieces() throws Exception {
        List<Holder> holders = new ArrayList<Holder>();
        for (String name : new String[] {"Cart", "Shelf", "Kitchen"}) {
            holders.add(new Holder("a." + name, types(name), false, 2, 0));
        }
        FakeShown few = new FakeShown(holders);
        MethodActions source = new MethodActions(this, few, Pace.free(this), 0, 0, 0);
        Map<String, Object> counts = new LinkedHashMap<String, Object>();
        counts.put("before", (long) settled(source).size());
        holders.add(new Holder("a.Traps", types("Traps"), false, 2, 0));
        few.version++;
        int least = Integer.MAX_VALUE;
        do least = Math.min(least, source.actions().size());
        while (!source.isSettled());
        counts.put("least", (long) least);
        counts.put("after", (long) settled(source).size());
        return counts;
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
