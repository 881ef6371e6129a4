package harness;

import java.io.ByteArrayInputStream;
import java.lang.ref.SoftReference;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.text.SimpleDateFormat;
import java.util.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

import substrate.agent.vm.StackLocal;

/** Objects that belong to a program rather than to its state; and objects that only look so. */
final class NoiseCases {
    private NoiseCases() {}

    private static Map<String, Object> statics(Class<?>... classes) {
        Subject subject = new Subject(10_000);
        subject.vm.classes = classes;
        Map<String, Object> own = new TreeMap<>();
        for (Map.Entry<String, Object> leaf : subject.full().entrySet())
            for (Class<?> type : classes)
                if (leaf.getKey().startsWith(type.getSimpleName() + ".")) own.put(leaf.getKey(), leaf.getValue());
        return own;
    }

    static final class Colour {
        static final Colour RED = new Colour("red");
        static final Colour BLUE = new Colour("blue");
        static final Colour[] ALL = {RED, BLUE};
        String name;

        Colour(String name) {
            this.name = name;
        }
    }

    static final class Span {
        private final int from;
        private final String unit;

        Span(int from, String unit) {
            this.from = from;
            this.unit = unit;
        }
    }

    static final class Fixed {
        static final Integer MAX = 1000;
        static final Pattern NAME = Pattern.compile("[a-z]+");
        static final Charset CHARSET = StandardCharsets.UTF_8;
        static final Locale LOCALE = Locale.ROOT;
        static final Thread.State STATE = Thread.State.NEW;
        static final int[] TABLE = {1, 2, 3};
        static final String[][] WORDS = {{"a"}, {"b"}};
        static final byte[] CRLF = {13, 10};
        static final Object ANY_NUMBER = 7;
        static final Span NONE = new Span(0, "m");
        static final List<String> VERBS = List.of("go", "stay");
        static final Set<Integer> PRIMES = Collections.unmodifiableSet(new HashSet<>(List.of(2, 3)));
        static final List<String> ORDER = Arrays.asList("first", "second");
        static final String name = "a constant of the compiler";
    }

    static void constants() {
        Check.same("nothing of it", "{}", statics(Fixed.class, Colour.class).toString());
    }

    static final class Settings {
        String language = "en";
    }

    static final class Game {
        static final Game GAME = new Game();
        static final Settings SETTINGS = new Settings();
        static final Map<String, String> CONFIG = new HashMap<>(Map.of("port", "80"));
        static final Map<String, String> FROZEN = Map.of("mode", "live");
        static final List<String> NAMES = new ArrayList<>(List.of("Ada"));
        static final List<Settings> PROFILES = List.of(new Settings());
        static final AtomicInteger COUNT = new AtomicInteger(4);
        static final AtomicReference<String> CURRENT = new AtomicReference<>("x");
        static final int[] board = {0, 1};
        static final UUID sessionId = new UUID(0, 1);
        static int[] SCORES = {9};
        int level = 2;
    }

    static void whatCanChangeStays() {
        Check.same("all of it", "{Game.CONFIG.port=80, Game.CONFIG.size=1, Game.COUNT=4, Game.CURRENT=x, Game.FROZEN.mode=live, Game.FROZEN.size=1, "
            + "Game.GAME.level=2, Game.NAMES.length=1, Game.NAMES[0]=Ada, Game.PROFILES.length=1, Game.PROFILES[0].language=en, "
            + "Game.SCORES.length=1, Game.SCORES[0]=9, Game.SETTINGS.language=en, Game.board.length=2, Game.board[0]=0, Game.board[1]=1, "
            + "Game.sessionId=00000000-0000-0000-0000-000000000001}", statics(Game.class).toString());
    }

    static final class Catalogue {
        static List<String> words = new ArrayList<>(List.of("word"));
    }

    static final class User {
        static List<String> borrowed = Catalogue.words;
    }

    static final class Owner {
        static List<String> borrowed = Catalogue.words;
        static int own = 1;
    }

    static void classesThatOnlyRefer() {
        Check.same("not shown", "{Catalogue.words.length=1, Catalogue.words[0]=word, Owner.borrowed=[ref] Catalogue.words, Owner.own=1}",
            statics(Catalogue.class, User.class, Owner.class).toString());
    }

    static final class Words extends ListResourceBundle {
        String used = "yes";

        @Override
        protected Object[][] getContents() {
            return new Object[][] {{"key", "word"}};
        }
    }

    static final class Source extends ByteArrayInputStream {
        int line = 1;

        Source() {
            super(new byte[10]);
        }
    }

    static final class Guard extends ReentrantLock {
        private static final long serialVersionUID = 1L;
        int taken = 1;
    }

    static final class Day extends SimpleDateFormat {
        private static final long serialVersionUID = 1L;
        int used = 1;
    }

    static final class Tools {
        final Object[] all = {new Words(), new Source(), new Guard(), new Day(), new SoftReference<>("cached")};
        int count = 5;
    }

    static void machinery() {
        Check.same("only what it is for", "all.length=5 count=5", Subject.shown(new Tools()));
    }

    static void largeArrays() {
        Object[] sparse = new Object[65_536];
        sparse[500] = "used";
        Check.same("unused places", "[500]=used length=65536", Subject.shown(sparse));
        Check.same("of an atomic one too", "[500]=used length=65536", Subject.shown(new AtomicReferenceArray<>(sparse)));
        Check.same("few", "[0]=null [1]=x length=2", Subject.shown(new Object[] {null, "x"}));
        Check.same("a list", "[0]=null length=1", Subject.shown(new ArrayList<>(Collections.singletonList(null))));
        Subject subject = Subject.of(new int[1001]);
        Check.same("a buffer", "{x.length=1001}", subject.full().toString());
        Check.that("left out", subject.report.coverage < 1);
        Check.same("all of fewer", 1001, Subject.of(new int[1000]).full().size());
    }

    static void commandLine() {
        String[] args = {"--port", "80"};
        Subject subject = new Subject(1000);
        subject.vm.locals = new StackLocal[] {
            new StackLocal(args, 1, 0, 0, -1, NoiseCases.class, "main", "([Ljava/lang/String;)V"),
            new StackLocal(List.of("kept"), 1, 0, 1, -1, NoiseCases.class, "main", "([Ljava/lang/String;)V")};
        for (Object value : subject.full().values()) Check.that("no argument", !"--port".equals(value));
    }

    static final class Vocabulary {
        static final List<String> ALL = new java.util.ArrayList<>();
        static final Map<String, Integer> CODES = new java.util.TreeMap<>();
        static int used = 4;

        static void fill(int count) {
            for (int at = 0; at < count; at++) {
                ALL.add("word" + at);
                CODES.put("word" + at, at);
            }
        }
    }

    static final class Zoo {
        static final List<Animal> animals = new java.util.ArrayList<>();
    }

    static final class Animal {
        String name;

        Animal(String name) {
            this.name = name;
        }
    }

    /** Where not all fits, what can change is worth more than what was written into the program. */
    static void tablesComeLast() {
        Vocabulary.fill(400);
        for (int at = 0; at < 300; at++) Zoo.animals.add(new Animal("a" + at));
        Subject subject = new Subject(500);
        subject.vm.classes = new Class<?>[] {Vocabulary.class, Zoo.class};
        Map<String, Object> state = subject.full();
        Check.same("the last animal", "a299", state.get("Zoo.animals[299].name"));
        Check.same("a variable", 4L, state.get("Vocabulary.used"));
        Check.that("some words", state.size() == 500);
        subject.next();
        Check.same("deterministic", "same", subject.kind);
    }

    static final class Dictionary {
        static Map<String, String> texts = new java.util.HashMap<>();
        static List<String> shortOnes = new java.util.ArrayList<>();
    }

    /** Translations, codes, words: nobody asks for them one by one. What does change is shown. */
    static void longTablesAreCounted() {
        for (int at = 0; at < 600; at++) Dictionary.texts.put("text." + at, "Text " + at);
        for (int at = 0; at < 100; at++) Dictionary.shortOnes.add("word" + at);
        Subject subject = new Subject(10_000);
        subject.vm.classes = new Class<?>[] {Dictionary.class};
        Map<String, Object> state = subject.full();
        Check.same("how many", 600L, state.get("Dictionary.texts.size"));
        Check.that("not which", !state.containsKey("Dictionary.texts[\"text.7\"]"));
        Check.same("a shorter one", "word99", state.get("Dictionary.shortOnes[99]"));
        Check.same("stays so", "same", kindOfNext(subject));
        Dictionary.texts.put("text.7", "another");
        state = subject.next();
        Check.same("what changed", "another", state.get("Dictionary.texts[\"text.7\"]"));
        Check.same("and all beside it", "Text 8", state.get("Dictionary.texts[\"text.8\"]"));
        Check.same("stays shown", "same", kindOfNext(subject));
        Dictionary.texts.clear();
        Dictionary.shortOnes.clear();
    }

    private static String kindOfNext(Subject subject) {
        subject.next();
        return subject.kind;
    }
}
