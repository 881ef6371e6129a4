package substrate.agent.act;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import substrate.agent.state.Holder;
import substrate.agent.state.Shown;

/** Stands in for the walk of the state: fields, lists and maps of a few objects, by plain reflection. */
final class FakeShown implements Shown {
    final Map<String, Object> roots = new LinkedHashMap<String, Object>();
    private List<Holder> holders;
    int version = 1;

    FakeShown() {}

    FakeShown(List<Holder> holders) {
        this.holders = holders;
    }

    @Override
    public int holdersVersion() {
        return version;
    }

    @Override
    public List<Holder> holders() {
        if (holders != null) return holders;
        Map<String, Holder> found = new LinkedHashMap<String, Holder>();
        for (Map.Entry<String, Object> root : roots.entrySet()) visit(root.getKey(), root.getValue(), 1, found);
        return new ArrayList<Holder>(found.values());
    }

    private void visit(String shape, Object value, int depth, Map<String, Holder> found) {
        if (value == null || depth > 6) return;
        if (value instanceof Class) {
            found.put(shape, new Holder(shape, new Class<?>[] {(Class<?>) value}, true, depth, 0));
        } else if (value instanceof List) {
            for (Object each : (List<?>) value) visit(shape + "[*]", each, depth + 1, found);
        } else if (value instanceof Map) {
            for (Object each : ((Map<?, ?>) value).values()) visit(shape + "{*}", each, depth + 1, found);
        } else if (isOfApp(value.getClass())) {
            found.put(shape, new Holder(shape, new Class<?>[] {value.getClass()}, false, depth, 0));
            for (Map.Entry<String, Object> field : fields(value).entrySet()) {
                visit(shape + "." + field.getKey(), field.getValue(), depth + 1, found);
            }
        }
    }

    @Override
    public Object onlyStep(String path) {
        Object at = find(path);
        if (at instanceof List) return ((List<?>) at).size() == 1 ? 0 : null;
        boolean isOnly = at instanceof Map && ((Map<?, ?>) at).size() == 1;
        return isOnly ? ((Map<?, ?>) at).keySet().iterator().next() : null;
    }

    @Override
    public Object find(String path) {
        Object at = null;
        for (int begin = 0; begin < path.length();) {
            if (path.charAt(begin) == '[') {
                int end = path.indexOf(']', begin);
                String inside = path.substring(begin + 1, end);
                if (inside.startsWith("\"")) at = ((Map<?, ?>) at).get(inside.substring(1, inside.length() - 1));
                else at = element((List<?>) at, Integer.parseInt(inside));
                begin = end + 1;
            } else {
                if (path.charAt(begin) == '.') begin++;
                int end = begin;
                while (end < path.length() && path.charAt(end) != '.' && path.charAt(end) != '[') end++;
                String name = path.substring(begin, end);
                Map<?, ?> members = begin == 0 ? roots : at instanceof Map ? (Map<?, ?>) at : fields(at);
                at = members.get(name);
                begin = end;
            }
            if (at == null) return null;
        }
        return at;
    }

    private static Object element(List<?> list, int index) {
        return index < list.size() ? list.get(index) : null;
    }

    private static Map<String, Object> fields(Object object) {
        Map<String, Object> fields = new LinkedHashMap<String, Object>();
        try {
            Class<?> type = object.getClass();
            for (; type.getName().startsWith("com.example"); type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) continue;
                    field.setAccessible(true);
                    fields.put(field.getName(), field.get(object));
                }
            }
        } catch (IllegalAccessException closed) {
            throw new IllegalStateException(closed);
        }
        return fields;
    }

    @Override
    public Object flatten(Object value, int maxLeaves) {
        if (value == null || value instanceof String) return value;
        if (value instanceof Number || value instanceof Boolean) return value;
        Map<String, Object> leaves = new LinkedHashMap<String, Object>();
        for (Map.Entry<String, Object> field : fields(value).entrySet()) {
            leaves.put(field.getKey(), String.valueOf(field.getValue()));
        }
        return leaves;
    }

    @Override
    public boolean isOfApp(Class<?> type) {
        return type.getName().startsWith("com.example") || type.getName().startsWith("substrate.");
    }
}
