package com.example.graph;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The object graph of test/contract/graph-contract.ts: the same is in graph/World.cs and graph.cjs. */
public final class World {
    public static final int LIMIT = 10;
    public static final String VERSION = "1.2.3";
    static final Size SMALL = new Size("small", 1);
    static final Size LARGE = new Size("large", 2);

    String title = "Corner \"Shop\"\nsecond line 𝄞 \u0000 end";
    String empty = "";
    String nothing = null;
    String longText = repeat("0123456789", 500);
    int count = 3;
    long most = Long.MAX_VALUE;
    long least = Long.MIN_VALUE;
    long exact = 9007199254740991L;
    BigInteger huge = new BigInteger("123456789012345678901234567890");
    double ratio = 0.1;
    double largest = Double.MAX_VALUE;
    double smallest = Double.MIN_VALUE;
    double notANumber = Double.NaN;
    double endless = Double.NEGATIVE_INFINITY;
    double minusZero = -0.0;
    boolean isOpen = true;
    char letter = 'x';
    Mood mood = Mood.STORMY;
    Date opened = new Date(1704164645000L);
    Optional<String> present = Optional.of("here");
    Optional<String> missing = Optional.empty();
    OptionalInt age = OptionalInt.of(36);
    Size size = LARGE;
    Address address = new Address("Main Street", 12);
    Address again = address;
    Person owner = new Person("Ada");
    Person boss = owner;
    Employee employee = new Employee();
    List<Person> people = new ArrayList<Person>();
    List<Object> mixed = new ArrayList<Object>();
    List<String> noList = new ArrayList<String>();
    Map<String, Integer> noMap = new HashMap<String, Integer>();
    Set<String> noSet = new LinkedHashSet<String>();
    int[] numbers = {1, 2, 3};
    int[][] grid = {{1, 2}, {3, 4}};
    String[] words = {"one", null, "three"};
    byte[] text = "hello".getBytes(StandardCharsets.UTF_8);
    byte[] picture = {0, 1, 2, 3};
    Map<String, Integer> stock = new LinkedHashMap<String, Integer>();
    Map<Integer, String> byNumber = new LinkedHashMap<Integer, String>();
    Map<Mood, Integer> byMood = new LinkedHashMap<Mood, Integer>();
    Map<Person, Integer> byPerson = new LinkedHashMap<Person, Integer>();
    Map<Parcel, Integer> byParcel = new LinkedHashMap<Parcel, Integer>();
    Map<Parcel, Integer> weights = new LinkedHashMap<Parcel, Integer>();
    Depot depot = new Depot();
    Set<String> tags = new LinkedHashSet<String>();
    List<Integer> longList = new ArrayList<Integer>();
    Map<String, Object> settings = new LinkedHashMap<String, Object>();
    String password = "hunter2";
    ProtectedString vault = new ProtectedString("swordfish");
    LoginCredentials login = new LoginCredentials("ada", "opensesame");
    Logger logger = new Logger("world");
    InputStream stream = new ByteArrayInputStream(new byte[4]);
    Runnable callback = new Runnable() {
        @Override
        public void run() {}
    };

    public World() {
        Person grace = new Person("Grace");
        owner.friends.add(grace);
        grace.friends.add(owner);
        people.add(owner);
        people.add(grace);
        mixed.add("text");
        mixed.add(7);
        mixed.add(true);
        mixed.add(null);
        mixed.add(new Address("Side Street", 3));
        stock.put("apple", 5);
        stock.put("odd key", 6);
        stock.put("a.b[0]", 7);
        stock.put("", 8);
        byNumber.put(1, "one");
        byNumber.put(-2, "minus two");
        byMood.put(Mood.CALM, 1);
        byPerson.put(owner, 1);
        byParcel.put(new Parcel("p1"), 2);
        weights.put(depot.shelf.parcels.get(0), 3);
        tags.add("red");
        tags.add("green");
        for (int at = 0; at < 600; at++) longList.add(at);
        settings.put("theme", "dark");
        settings.put("apiToken", "tok_live_51Hx8KqLm29vTzR4");
    }

    private static String repeat(String text, int times) {
        StringBuilder out = new StringBuilder();
        for (int at = 0; at < times; at++) out.append(text);
        return out.toString();
    }

    public int total() {
        int sum = 0;
        for (int number : numbers) sum += number;
        return sum;
    }

    public String getTitle() {
        return title;
    }

    public void setTitle(String title) {
        this.title = title;
    }

    public void addTag(String tag) {
        tags.add(tag);
    }

    public void removeTag(String tag) {
        tags.remove(tag);
    }

    public void deletePeople() {
        people.clear();
    }

    public void shutdown() {
        System.exit(0);
    }
}

enum Mood { CALM, STORMY }

/** A class with a few constants of itself, like an enum. */
final class Size {
    final String label;
    final int order;

    Size(String label, int order) {
        this.label = label;
        this.order = order;
    }
}

final class Address {
    String street;
    int number;

    Address(String street, int number) {
        this.street = street;
        this.number = number;
    }
}

final class Person {
    String name;
    List<Person> friends = new ArrayList<Person>();

    Person(String name) {
        this.name = name;
    }
}

final class Parcel {
    String code;
    List<String> stops = new ArrayList<String>();

    Parcel(String code) {
        this.code = code;
    }
}

/** Leads to a parcel that is a key of a map, too. */
final class Depot {
    Shelf shelf = new Shelf();
}

final class Shelf {
    List<Parcel> parcels = new ArrayList<Parcel>();

    Shelf() {
        parcels.add(new Parcel("p2"));
    }
}

/** The one object of its class. */
final class Registry {
    static final Registry INSTANCE = new Registry();
    int entries = 4;
    List<String> names = new ArrayList<String>();
}

class Worker {
    String name = "worker";
    int shifts = 2;
}

final class Employee extends Worker {
    String name = "employee";
    int level = 3;
}

final class ProtectedString {
    String value;

    ProtectedString(String value) {
        this.value = value;
    }
}

final class LoginCredentials {
    String user;
    String phrase;

    LoginCredentials(String user, String phrase) {
        this.user = user;
        this.phrase = phrase;
    }
}

final class Logger {
    String prefix;
    int lines = 1;

    Logger(String prefix) {
        this.prefix = prefix;
    }
}
