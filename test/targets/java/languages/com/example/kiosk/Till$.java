package com.example.kiosk;

import scala.Option;
import scala.Some;
import scala.Tuple2;
import scala.collection.immutable.HashMap$;
import scala.collection.immutable.List;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Set;
import scala.collection.immutable.Vector;
import scala.collection.immutable.VectorBuilder;

/** `object Till` of Scala. */
public final class Till$ {
    public static final Till$ MODULE$;

    static {
        MODULE$ = new Till$();
    }

    private List<Object> lines = list().$colon$colon("tea").$colon$colon("milk");
    private final List<Object> none = list();
    private final List<Object> nothing = list();
    private final Map<String, Object> prices = Map$.MODULE$.<String, Object>empty().updated("tea", 3).updated("milk", 2);
    private Map<Object, Object> byNumber = HashMap$.MODULE$.empty();
    private final Vector<Object> rooms;
    private final Object tags = new Set.Set2<Object>("hot", "cold");
    private final scala.collection.mutable.HashMap<String, Object> counts = new scala.collection.mutable.HashMap<>();
    private final scala.collection.mutable.LinkedHashMap<String, Object> order = new scala.collection.mutable.LinkedHashMap<>();
    private final scala.collection.mutable.ArrayBuffer<Object> buffer = new scala.collection.mutable.ArrayBuffer<>();
    private final scala.collection.mutable.ListBuffer<Object> waiting = new scala.collection.mutable.ListBuffer<>();
    private final scala.collection.mutable.HashSet<Object> seen = new scala.collection.mutable.HashSet<>();
    private final Option<String> customer = new Some<>("Ada");
    private final Option<String> guest = Option.empty();
    private final Tuple2<String, Object> best = new Tuple2<>("tea", 9);
    private final Object pair = new scala.Tuple2$mcII$sp(3, 4);
    private final scala.math.BigDecimal total = scala.math.BigDecimal.exact("12.50");
    private int com$example$kiosk$Till$$hidden = 7;
    private volatile boolean bitmap$0 = true;

    private Till$() {
        VectorBuilder<Object> builder = new VectorBuilder<>();
        for (int at = 0; at < 70; at++) builder.$plus$eq("room " + at);
        rooms = builder.result().drop(1);
        for (int at = 0; at < 40; at++) byNumber = byNumber.updated(at, "n" + at);
        for (String word : new String[] {"one", "two", "three"}) {
            counts.put(word, word.length());
            order.put(word, word.length());
            buffer.$plus$eq(word);
            waiting.$plus$eq(word);
            seen.add(word);
        }
    }

    void add(String line) {
        lines = lines.$colon$colon(line);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static List<Object> list() {
        return (List) Nil$.MODULE$;
    }
}
