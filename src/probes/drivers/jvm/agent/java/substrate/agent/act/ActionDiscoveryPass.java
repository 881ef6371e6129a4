package substrate.agent.act;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import substrate.agent.state.Holder;
import substrate.agent.vm.Vm;

/**
 * One round through all that the state shows, in small pieces: first which methods there are, the nearest objects
 * before others; then what they do. Holds classes of the app: it is dropped when it is done.
 */
final class ActionDiscoveryPass {
    private static final int MAX_ACTIONS = 300;
    /** What is worth little is shown where there is not even this much else. */
    private static final int MAX_WITH_MINOR = 60;
    /** However many classes there are, each may show this many actions before others had their turn. */
    private static final int SHARE = 24;
    /** The same method of the same class is worth little where it is met once more. */
    private static final int MAX_PLACES = 3;
    /** Classes at one shape whose methods are put together. */
    private static final int MAX_TYPES = 8;
    private static final int MAX_SHAPE = 1500;
    /** What is not told after so many pieces of time stays unknown. */
    private static final int MAX_CUTS = 3;

    private final ClassMethods methods;
    private final List<Holder> holders;
    private final Set<String> shownTypes = new HashSet<String>();
    private final Vm vm;
    private Effects effects;
    /** What was told before, by the key of the candidate: it stands until it is proven anew. */
    private final Map<String, String> told;
    private final Map<String, String> proven = new HashMap<String, String>();
    private final List<Candidate> found = new ArrayList<Candidate>();
    private List<Candidate> chosen = Collections.emptyList();
    private int nextHolder;
    private int worthy;
    private final Map<Object, Integer> counts = new HashMap<Object, Integer>();
    private int nextEffect;
    /** How often the time was over while the next one was looked at. */
    private int cuts;

    /** `isSame`: no class was loaded since these effects were proven. */
    ActionDiscoveryPass(Vm vm, ClassMethods methods, List<Holder> holders, Map<String, String> told, boolean isSame) {
        this.vm = vm;
        this.methods = methods;
        this.holders = new ArrayList<Holder>(holders);
        this.told = told;
        if (isSame) proven.putAll(told);
        Collections.sort(this.holders, new Comparator<Holder>() {
            @Override
            public int compare(Holder one, Holder other) {
                return Candidate.distance(one) - Candidate.distance(other);
            }
        });
        for (Holder holder : holders) if (!holder.isStatic) for (Class<?> type : holder.types) addNames(type);
    }

    private void addNames(Class<?> type) {
        if (type == null || type == Object.class || !shownTypes.add(type.getName())) return;
        addNames(type.getSuperclass());
        for (Class<?> each : type.getInterfaces()) addNames(each);
    }

    /** Goes on with which methods there are. */
    void list(long deadline) {
        do {
            Holder holder = holders.get(nextHolder++);
            if (holder.shape.length() <= MAX_SHAPE) addAll(holder);
        } while (!isListed() && System.nanoTime() - deadline < 0);
    }

    /** Of what is listed. */
    void choose() {
        chosen = choose(new ArrayList<Candidate>(found));
    }

    boolean isListed() {
        // What is farther away than so many others is not even looked at.
        if (nextHolder == holders.size() || worthy >= MAX_ACTIONS) return true;
        // There is no room for what else would be found.
        return found.size() >= MAX_WITH_MINOR && Candidate.isMinorPlace(holders.get(nextHolder));
    }

    /** Goes on proving effects. */
    void prove(long deadline) {
        if (!isListed()) return;
        // Not before: to list methods loads classes that they mention.
        if (effects == null) effects = new Effects(vm, vm.loadedClasses());
        effects.workUntil(deadline);
        while (nextEffect < chosen.size()) {
            Candidate candidate = chosen.get(nextEffect);
            String key = candidate.key();
            if (!proven.containsKey(key)) {
                String effect = candidate.effect(effects);
                if (effects.isCut() && ++cuts < MAX_CUTS) return;
                proven.put(key, effect);
            }
            cuts = 0;
            nextEffect++;
        }
    }

    boolean isDone() {
        return isListed() && nextEffect == chosen.size();
    }

    List<ActionInfo> actions() {
        List<ActionInfo> actions = new ArrayList<ActionInfo>(chosen.size());
        for (Candidate candidate : chosen) {
            String key = candidate.key();
            String effect = proven.containsKey(key) ? proven.get(key) : told.get(key);
            // It changes nothing and brings nothing.
            if (!"none".equals(effect) || !candidate.isVoid()) actions.add(candidate.info(effect));
        }
        return actions;
    }

    /** Only what belongs to methods that are still there. */
    Map<String, String> proven() {
        Map<String, String> kept = new HashMap<String, String>();
        for (Candidate candidate : chosen) {
            String effect = proven.get(candidate.key());
            if (effect != null) kept.put(candidate.key(), effect);
        }
        return kept;
    }

    private void addAll(Holder holder) {
        Map<String, Candidate> byName = new LinkedHashMap<String, Candidate>();
        int count = Math.min(holder.types.length, MAX_TYPES);
        for (int at = 0; at < count; at++) addAll(byName, holder, holder.types[at]);
        found.addAll(byName.values());
        for (Candidate candidate : byName.values())
            if (isWorthy(candidate, counts) && isInShare(candidate, counts)) worthy++;
    }

    private void addAll(Map<String, Candidate> byName, Holder holder, Class<?> type) {
        for (Map.Entry<String, List<Signature>> named : methods.of(type).entrySet()) {
            for (Signature signature : named.getValue()) {
                if (signature.isStatic != holder.isStatic || !signature.canBeGiven(shownTypes)) continue;
                Candidate candidate = byName.get(named.getKey());
                if (candidate == null) byName.put(named.getKey(), candidate = new Candidate(holder, named.getKey()));
                candidate.add(type, signature);
            }
        }
    }

    /** The most useful; a class that is met in many places gives way to others, but what room is left is used. */
    private static List<Candidate> choose(List<Candidate> all) {
        Collections.sort(all, new Comparator<Candidate>() {
            @Override
            public int compare(Candidate one, Candidate other) {
                return one.rank() - other.rank();
            }
        });
        List<Candidate> first = new ArrayList<Candidate>();
        List<Candidate> waiting = new ArrayList<Candidate>();
        List<Candidate> minor = new ArrayList<Candidate>();
        Map<Object, Integer> counts = new HashMap<Object, Integer>();
        for (Candidate candidate : all) {
            if (!isWorthy(candidate, counts)) minor.add(candidate);
            else (isInShare(candidate, counts) ? first : waiting).add(candidate);
        }
        first.addAll(waiting);
        if (first.size() > MAX_ACTIONS) return first.subList(0, MAX_ACTIONS);
        int room = Math.min(minor.size(), Math.max(0, MAX_WITH_MINOR - first.size()));
        first.addAll(minor.subList(0, room));
        return first;
    }

    private static boolean isWorthy(Candidate candidate, Map<Object, Integer> counts) {
        String key = candidate.types.get(0).getName() + candidate.method;
        return !candidate.isMinor() && count(counts, key) <= MAX_PLACES;
    }

    private static boolean isInShare(Candidate candidate, Map<Object, Integer> counts) {
        return count(counts, candidate.types.get(0)) <= SHARE;
    }

    private static int count(Map<Object, Integer> counts, Object what) {
        Integer before = counts.get(what);
        int now = before == null ? 1 : before + 1;
        counts.put(what, now);
        return now;
    }
}
