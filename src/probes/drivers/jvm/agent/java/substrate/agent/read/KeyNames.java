package substrate.agent.read;

import java.util.HashMap;
import java.util.Map;

/**
 * The texts of the keys of the current map, which name its entries. Keys of different classes can have one text, as 1
 * and "1" do: the String comes first, then the others by class name.
 */
final class KeyNames implements Container.Taker {
    /** In a larger map the first key with the text is shown. */
    private static final int MAX_KEYS = 10_000;

    private final Shapes shapes;
    private Container container;
    private Object map;
    private boolean isExamined;
    private Object firstKey;
    private int count;
    private boolean isMixed;
    /** Null if no two keys can have one text. */
    private Map<String, Object> owners;

    KeyNames(Shapes shapes) {
        this.shapes = shapes;
    }

    void begin(Container how, Object target) {
        container = how;
        map = target;
        isExamined = false;
        isMixed = false;
        count = 0;
    }

    void end() {
        container = null;
        map = null;
        firstKey = null;
        owners = null;
    }

    /** The text of a key that names its entry; null if it cannot be a name. */
    String of(Object key) {
        if (key == null) return "null";
        Class<?> type = key.getClass();
        if (type == String.class) return (String) key;
        Shape how = shapes.of(type);
        if (how.kind != Shape.SCALAR) return null;
        switch (how.scalar) {
            case Scalars.LIVE: return how.liveKey(key);
            case Scalars.SECRET: return null;
            case Scalars.FLAG: return String.valueOf(Scalars.flag(key));
            case Scalars.WHOLE: return String.valueOf(Scalars.whole(key));
            default: return Scalars.text(key);
        }
    }

    /** False if another key of the map has this text and comes first. */
    boolean isItsOwn(Object key, String name) {
        if (key instanceof String) return true;
        if (!isExamined) examine();
        return owners == null || owners.get(name) == key || !owners.containsKey(name);
    }

    /** Most maps have keys of one class: only the class is checked first. */
    private void examine() {
        isExamined = true;
        container.each(map, this);
        if (!isMixed) return;
        owners = new HashMap<String, Object>();
        count = 0;
        container.each(map, this);
    }

    @Override
    public boolean take(Object key, Object value) {
        if (owners != null) own(key);
        else if (count == 0) firstKey = key;
        else isMixed = classOf(key) != classOf(firstKey);
        return ++count < MAX_KEYS && (owners != null || !isMixed);
    }

    private void own(Object key) {
        String name = of(key);
        if (name == null) return;
        boolean isFirst = !owners.containsKey(name) || rank(key).compareTo(rank(owners.get(name))) < 0;
        if (isFirst) owners.put(name, key);
    }

    private static String rank(Object key) {
        if (key instanceof String) return "";
        return key == null ? "null" : key.getClass().getName();
    }

    private static Class<?> classOf(Object key) {
        return key == null ? null : key.getClass();
    }
}
