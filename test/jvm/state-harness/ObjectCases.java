package harness;

import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.sql.Timestamp;
import java.time.*;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.*;
import java.util.regex.Pattern;

/** Single values, and objects of the app. */
final class ObjectCases {
    private ObjectCases() {}

    private static void is(Object expected, Object value) {
        Object shown = Subject.of(new Object[] {value}).full().get("x[0]");
        Check.same(String.valueOf(value == null ? null : value.getClass()), expected, shown);
    }

    static void values() throws Exception {
        is("text", "text");
        is(5L, 5);
        is(5L, (short) 5);
        is(5L, (byte) 5);
        is("9007199254740993", 9007199254740993L);
        is(1.5, 1.5);
        is(0.1, 0.1f);
        is("NaN", Double.NaN);
        is(true, true);
        is("c", 'c');
        is(null, null);
        is("GREEN", CollectionCases.Colour.GREEN);
        is("java.lang.String", String.class);
        is("1.50", new BigDecimal("1.50"));
        is("123456789012345678901234567890", new BigInteger("123456789012345678901234567890"));
        for (Object value : new Object[] {LocalDate.of(2024, 5, 31), LocalTime.NOON, LocalDateTime.of(2024, 5, 31, 1, 2), Instant.EPOCH,
            Duration.ofSeconds(90), Period.ofDays(3), ZoneId.of("Europe/Berlin"), ZoneOffset.UTC, Year.of(2024), UUID.randomUUID(),
            URI.create("http://a/b"), new File("/tmp/a"), Paths.get("/tmp/b"), Currency.getInstance("EUR"), Locale.GERMANY, StandardCharsets.UTF_8,
            Pattern.compile("a+"), OffsetDateTime.MIN, YearMonth.of(2024, 2), DayOfWeek.FRIDAY}) is(value.toString(), value);
        is("http://host:81/p?q=1#r", new URL("http://host:81/p?q=1#r"));
        is("1970-01-01T00:00:00Z", new Date(0));
        Timestamp timestamp = new Timestamp(1000);
        timestamp.setNanos(5);
        is("1970-01-01T00:00:01.000000005Z", timestamp);
        GregorianCalendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"));
        calendar.setTimeInMillis(0);
        is("1970-01-01T00:00:00Z", calendar);
        // It has computed nothing yet, and must not by being read.
        calendar.set(2020, Calendar.MARCH, 1);
        is("2020-03-01T00:00:00Z", calendar);
        is("2020-03-01T00:00:00Z", calendar);
        is("1970-01-02", java.sql.Date.valueOf("1970-01-02"));
        is("Europe/Berlin", TimeZone.getTimeZone("Europe/Berlin"));
        is("builder ü €", new StringBuilder("builder ü €"));
        is("buffer", new StringBuffer("buffer"));
        is("chars", "chars".toCharArray());
        is("[byte[] of 3 bytes]", new byte[3]);
        is("north, ü €\n2", "north, ü €\n2".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        is("[byte[] of 3 bytes]", new byte[] {'a', (byte) 0xC3, 'b'});
        is("[byte[] of 4 bytes]", new byte[] {'a', 'b', 'c', 0});
        is("[byte[] of 2 bytes]", new byte[] {'\r', '\n'});
        is("[byte[] of 0 bytes]", new byte[0]);
        byte[] long4096 = new byte[4096];
        Arrays.fill(long4096, (byte) 'x');
        is(new String(new char[4096]).replace('\0', 'x'), long4096);
        is("[byte[] of 4097 bytes]", Arrays.copyOf(long4096, 4097));
        BitSet bits = new BitSet();
        bits.set(1);
        bits.set(70);
        is("{1, 70}", bits);
        bits.set(100_000_000);
        is("{1, 70, …}", bits);
        bits.clear(0, 100);
        is("{…}", bits);
        bits.clear();
        bits.set(0, 1000);
        Check.that("bounded", ((String) Subject.of(new Object[] {bits}).full().get("x[0]")).endsWith(", …}"));
        is("java.lang.IllegalStateException: no", new IllegalStateException("no"));
        is("in", Optional.of("in"));
        is(null, Optional.empty());
        is(4L, OptionalInt.of(4));
        is(null, OptionalDouble.empty());
        is(1L, new AtomicInteger(1));
        is(2L, new AtomicLong(2));
        is(true, new AtomicBoolean(true));
        LongAdder adder = new LongAdder();
        adder.add(3);
        is(3L, adder);
        is("held", new AtomicReference<>("held"));
        is("stamped", new AtomicStampedReference<>("stamped", 1));
        Check.same("future", "result=done state=done", Subject.shown(CompletableFuture.completedFuture("done")));
        Check.same("pending", "[0].state=pending length=1", Subject.shown(new Object[] {new CompletableFuture<>()}));
        Check.same("hidden", "length=4", Subject.shown(new Object[] {new Object(), new Thread(), new ThreadLocal<>(), Runtime.getRuntime()}));
        Check.same("weak", "length=2", Subject.shown(new Object[] {new java.lang.ref.WeakReference<>("weak"), new java.lang.ref.SoftReference<>("soft")}));
        Check.same("entry", "[0].key=k [0].value=1 length=1", Subject.shown(new Object[] {new AbstractMap.SimpleEntry<>("k", 1)}));
        char[] many = new char[5000];
        Arrays.fill(many, 'a');
        String shown = (String) Subject.of(new Object[] {new String(many)}).full().get("x[0]");
        Check.same("cut", new String(many, 0, 4096) + "… [5000 characters]", shown);
    }

    static class Base {
        private int id = 1;
        transient String note = "t";
    }

    static class Derived extends Base {
        private int id = 2;
        Runnable action = () -> {};
        static int counter = 4;
        static final int CONSTANT = 5;
        double price = 1.25;
        float small = 0.1f;
        char letter = 'q';
        boolean open;
        Object nothing;
        Thread worker;

        final class Inner {
            int depth = 3;
        }

        Inner inner = new Inner();
    }

    static class Cart extends ArrayList<String> {
        String owner = "me";
        int length = 99;
    }

    static class Rates extends HashMap<String, Integer> {
        String base = "EUR";
    }

    static final class Broken extends RuntimeException {
        int code = 7;

        Broken() {
            super("broken");
        }
    }

    static void objects() {
        Check.same("fields", "id=1 id_Derived=2 inner.depth=3 letter=q note=t nothing=null open=false price=1.25 small=0.1", Subject.shown(new Derived()));
        Cart cart = new Cart();
        cart.add("apple");
        Check.same("list with fields", "[0]=apple length=1 length_Cart=99 owner=me", Subject.shown(cart));
        Rates rates = new Rates();
        rates.put("USD", 2);
        rates.put("base", 3);
        Check.same("map with fields", "USD=2 base=EUR size=2", Subject.shown(rates));
        Check.same("exception", "code=7 message=broken", Subject.shown(new Broken()));
    }

    static final class Node {
        String name;
        Node next;
        List<Object> all = new ArrayList<>();
        Value value;

        Node(String name) {
            this.name = name;
        }
    }

    static final class Value {
        int amount = 5;
        String currency = "EUR";
    }

    static void references() {
        Node a = new Node("a");
        Node b = new Node("b");
        a.next = b;
        b.next = a;
        a.all.add(b);
        a.all.add(a.all);
        a.value = new Value();
        b.value = a.value;
        Check.same("references", "all.length=2 all[0]=[ref] x.next all[1]=[ref] x.all name=a next.all.length=0 next.name=b next.next=[ref] x "
            + "next.value.amount=5 next.value.currency=EUR value.amount=5 value.currency=EUR", Subject.shown(a));
        Subject subject = Subject.of(a);
        Map<String, Object> state = subject.full();
        Check.that("find", subject.reader.find("x.next") == b);
        Check.that("find root", subject.reader.find("x") == a);
        Check.that("find element", subject.reader.find("x.all[0]") == b);
        Check.that("find nothing", subject.reader.find("x.nowhere[3]") == null && subject.reader.find("x.name") == null && subject.reader.find("..") == null);
        Object shared = new AbstractMap.SimpleEntry<>("k", CompletableFuture.completedFuture("done"));
        for (int level = 0; level < 12; level++) shared = new AbstractMap.SimpleEntry<>(shared, shared);
        Check.same("shared entries", 15, Subject.of(shared).full().size());
        Object future = new CompletableFuture<>();
        Check.same("shared future", "[0].state=pending [1]=[ref] x[0] length=2", Subject.shown(new Object[] {future, future}));
        Map<String, Object> map = new HashMap<>();
        map.put("odd \"key\"", b);
        Subject keyed = Subject.of(map);
        keyed.full();
        Check.that("find by key", keyed.reader.find("x[\"odd \\\"key\\\"\"]") == b);
        Check.same("flatten", "{[0].amount=5, [0].currency=EUR, [1]=two, length=2}", new TreeMap<>((Map<?, ?>) subject.reader.flatten(List.of(new Value(), "two"), 100)).toString());
        Check.same("flatten scalar", 3L, subject.reader.flatten(3, 100));
        Check.same("flatten null", null, subject.reader.flatten(null, 100));
        Check.same("flatten bounded", 10, ((Map<?, ?>) subject.reader.flatten(new int[500], 10)).size());
    }
}
