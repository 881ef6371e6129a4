package substrate.agent.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import substrate.agent.health.Discarded;

/**
 * The rules of the walk, as the daemon sent them: src/probes/insight/walk-rules.ts explains each. They come before the
 * first capture, and are the same for all connections.
 */
public final class Rules {
    public static int maxDepth;
    public static int maxText;
    static int maxKey;
    static int maxNumbers;
    static int maxWithNulls;
    static int maxFlat;
    static int maxOrdered;
    public static int maxWrappers;
    public static int smallCollection;
    public static int nearDepth;
    public static int leastShare;
    public static int shareGrowth;
    public static int slowRounds;
    public static int maxRounds;
    public static int longTable;
    public static int leastObjects;
    public static int maxRoots;
    public static int maxFormerRoots;

    static NameList noiseFields;
    static NameList noiseTypes;
    static NameList secretTypes;
    static NameList plainData;
    static NameList dataInterfaces;
    static NameList sharedEmpties;
    static List<?> singletons;
    private static List<Class<?>> machinery;

    private Rules() {}

    /** Without rules any object could be a secret, so none may be read. */
    public static void require() {
        if (machinery == null) throw new IllegalStateException("the rules of the walk have not come");
    }

    public static void learn(Map<?, ?> rules) {
        Map<?, ?> limits = (Map<?, ?>) rules.get("limits");
        maxDepth = limit(limits, "maxDepth");
        maxText = limit(limits, "maxText");
        maxKey = limit(limits, "maxKey");
        maxNumbers = limit(limits, "maxNumbers");
        maxWithNulls = limit(limits, "maxWithNulls");
        maxFlat = limit(limits, "maxFlat");
        maxOrdered = limit(limits, "maxOrdered");
        maxWrappers = limit(limits, "maxWrappers");
        smallCollection = limit(limits, "smallCollection");
        nearDepth = limit(limits, "nearDepth");
        leastShare = limit(limits, "leastShare");
        shareGrowth = limit(limits, "shareGrowth");
        slowRounds = limit(limits, "slowRounds");
        maxRounds = limit(limits, "maxRounds");
        longTable = limit(limits, "longTable");
        leastObjects = limit(limits, "leastObjects");
        maxRoots = limit(limits, "maxRoots");
        maxFormerRoots = limit(limits, "maxFormerRoots");
        noiseFields = new NameList(rules.get("noiseFields"));
        noiseTypes = new NameList(rules.get("noiseTypes"));
        secretTypes = new NameList(rules.get("secretTypes"));
        plainData = new NameList(rules.get("plainData"));
        dataInterfaces = new NameList(rules.get("dataInterfaces"));
        sharedEmpties = new NameList(rules.get("sharedEmpties"));
        singletons = (List<?>) rules.get("singletons");
        machinery = typesOf((List<?>) rules.get("machinery"));
    }

    private static int limit(Map<?, ?> limits, String name) {
        return ((Number) limits.get(name)).intValue();
    }

    private static List<Class<?>> typesOf(List<?> names) {
        List<Class<?>> types = new ArrayList<Class<?>>();
        for (Object name : names) {
            try {
                types.add(Class.forName((String) name, false, null));
            } catch (ClassNotFoundException absent) {
                // This JDK does not have it.
                Discarded.count("Rules.typesOf", absent);
            }
        }
        return types;
    }

    static boolean isMachinery(Class<?> type) {
        for (Class<?> kind : machinery) if (kind.isAssignableFrom(type)) return true;
        return false;
    }
}
