package substrate.agent.jmx;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import substrate.agent.read.Record;

/** Values of beans as texts, numbers, booleans, lists and records of these; no object of the app is kept. */
final class Values {
    /** Marks a value that cannot be shown. */
    static final Object NOTHING = new Object();
    private static final int MAX_DEPTH = 6;
    private static final int MAX_ELEMENTS = 200;
    private static final int MAX_TEXT = 10000;

    private Values() {}

    /** Attributes with objects of the app are not read: they could not be shown. */
    static boolean canShow(String type) {
        String element = type;
        while (element.startsWith("[")) element = element.substring(1);
        if (element.startsWith("L") && element.endsWith(";")) element = element.substring(1, element.length() - 1);
        return element.indexOf('.') < 0 || element.startsWith("java.lang.") || element.startsWith("java.math.")
            || element.startsWith("java.util.") || element.startsWith("java.time.") || element.equals("java.io.File")
            || element.startsWith("javax.management.openmbean.") || element.equals("javax.management.ObjectName");
    }

    static Object plain(Object value) {
        return plain(value, 0);
    }

    private static Object plain(Object value, int depth) {
        if (value == null || value instanceof Boolean || value instanceof Character) return value;
        if (value instanceof String) return shorten((String) value);
        if (value instanceof Number)
            return value.getClass().getClassLoader() == null ? number((Number) value) : NOTHING;
        if (value instanceof Enum) return ((Enum<?>) value).name();
        if (value instanceof java.util.Date)
            return java.time.Instant.ofEpochMilli(((java.util.Date) value).getTime()).toString();
        if (value instanceof ObjectName) return ((ObjectName) value).getCanonicalName();
        if (depth >= MAX_DEPTH) return NOTHING;
        if (value instanceof CompositeData) return composite((CompositeData) value, depth + 1);
        if (value instanceof TabularData) return tabular((TabularData) value, depth + 1);
        if (value.getClass().isArray()) return array(value, depth + 1);
        if (value.getClass().getClassLoader() != null) return NOTHING;
        if (value instanceof Map) return map((Map<?, ?>) value, depth + 1);
        if (value instanceof Collection) return list((Collection<?>) value, depth + 1);
        String type = value.getClass().getName();
        return type.startsWith("java.time.") || type.equals("java.io.File") ? value.toString() : NOTHING;
    }

    /** A copy of the number: a live counter would go on counting. */
    private static Object number(Number value) {
        boolean isCounter = value.getClass().getName().startsWith("java.util.concurrent.atomic.");
        return isCounter ? (Object) Long.valueOf(value.longValue()) : (Object) value;
    }

    private static String shorten(String text) {
        return text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text;
    }

    private static Record composite(CompositeData data, int depth) {
        Record record = new Record();
        for (String key : data.getCompositeType().keySet()) put(record, key, plain(data.get(key), depth));
        return record;
    }

    /** A map of an MXBean is a table with the columns `key` and `value`. */
    private static Object tabular(TabularData data, int depth) {
        List<String> index = data.getTabularType().getIndexNames();
        boolean isMap = index.size() == 1 && index.get(0).equals("key")
            && data.getTabularType().getRowType().containsKey("value");
        Record record = new Record();
        List<Object> rows = new ArrayList<Object>();
        for (Object element : data.values()) {
            if (rows.size() + record.size() >= MAX_ELEMENTS) break;
            CompositeData row = (CompositeData) element;
            if (isMap) put(record, String.valueOf(plain(row.get("key"), depth)), plain(row.get("value"), depth));
            else rows.add(composite(row, depth));
        }
        return isMap ? (Object) record : (Object) rows.toArray();
    }

    private static Object map(Map<?, ?> map, int depth) {
        Record record = new Record();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (record.size() >= MAX_ELEMENTS) break;
            Object key = plain(entry.getKey(), MAX_DEPTH);
            if (key != NOTHING) put(record, String.valueOf(key), plain(entry.getValue(), depth));
        }
        return record;
    }

    private static Object list(Collection<?> values, int depth) {
        List<Object> shown = new ArrayList<Object>();
        for (Object value : values) {
            Object plain = shown.size() < MAX_ELEMENTS ? plain(value, depth) : NOTHING;
            if (plain == NOTHING) return shown.isEmpty() ? NOTHING : shown.toArray();
            shown.add(plain);
        }
        return shown.toArray();
    }

    private static Object array(Object values, int depth) {
        List<Object> elements = new ArrayList<Object>();
        for (int at = 0; at < Math.min(Array.getLength(values), MAX_ELEMENTS); at++)
            elements.add(Array.get(values, at));
        return list(elements, depth);
    }

    private static void put(Record record, String name, Object value) {
        if (value != NOTHING) record.put(name, value);
    }
}
