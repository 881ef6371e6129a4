package substrate.agent.jmx;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.Descriptor;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import substrate.agent.code.TypeIds;
import substrate.agent.health.Discarded;
import substrate.agent.json.JsonWriter;

/**
 * The description that a bean gives of itself, and the timing of its attributes. Holds names only, no objects of the
 * app.
 */
final class BeanFacts {
    private static final int MAX_ATTRIBUTES = 500;
    private static final int MAX_OPERATIONS = 1000;
    private static final int MAX_PARAMETERS = 64;
    private static final int MAX_NAME = 300;
    private static final int MAX_TEXT = 1000;
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** The id in reports. */
    final int id = COUNT.getAndIncrement();
    final BeanKey key;
    final ObjectName name;
    final String className;
    /** `Cache`, `main`: the type first, then the name, then the other properties of its name. */
    final String[] segments;
    final List<AttributeFacts> attributes = new ArrayList<AttributeFacts>();
    /**
     * The settable attributes and operations as JSON, as bean-facts.ts reads it, without its end; many beans share one.
     */
    final String kind;
    /** The class whose methods its operations are; null if that is not certain. */
    private final WeakReference<Class<?>> implementation;

    BeanFacts(MBeanServer server, BeanKey key, ObjectName name) throws Exception {
        this.key = key;
        this.name = name;
        segments = segmentsOf(name);
        MBeanInfo info = server.getMBeanInfo(name);
        className = String.valueOf(info.getClassName());
        for (MBeanAttributeInfo attribute : info.getAttributes()) {
            if (attribute != null && attributes.size() < MAX_ATTRIBUTES) attributes.add(new AttributeFacts(attribute));
        }
        kind = kindOf(info);
        Class<?> type = implementationOf(server, info);
        implementation = type == null ? null : new WeakReference<Class<?>>(type);
    }

    /** Only a bean that is described by an interface of its class runs the methods of that class. */
    private Class<?> implementationOf(MBeanServer server, MBeanInfo info) {
        Descriptor descriptor = info.getDescriptor();
        if (descriptor == null || descriptor.getFieldValue("interfaceClassName") == null) return null;
        try {
            return Class.forName(className, false, server.getClassLoaderFor(name));
        } catch (Exception e) {
            // The effects of its operations are unknown then.
            Discarded.count("BeanFacts.implementationOf", e);
            return null;
        }
    }

    /** The same text for beans of one class with the same operations. */
    String kind(TypeIds ids) {
        Class<?> type = implementation == null ? null : implementation.get();
        return kind + ",\"type\":" + (type == null ? "null" : String.valueOf(ids.of(type))) + "}";
    }

    private String kindOf(MBeanInfo info) {
        StringBuilder out = new StringBuilder("{\"attributes\":[");
        String separator = "";
        for (AttributeFacts attribute : attributes) {
            if (!attribute.isWritable) continue;
            JsonWriter.string(out.append(separator).append("{\"name\":"), attribute.name);
            JsonWriter.string(out.append(",\"type\":"), attribute.type);
            JsonWriter.value(out.append(",\"description\":"), cut(attribute.description));
            out.append('}');
            separator = ",";
        }
        out.append("],\"operations\":[");
        int count = 0;
        for (MBeanOperationInfo operation : info.getOperations()) {
            boolean isReported = operation != null && !isAccessor(operation) && count < MAX_OPERATIONS;
            if (isReported && operation(out, operation, count == 0 ? "" : ",")) count++;
        }
        return out.append(']').toString();
    }

    private static boolean operation(StringBuilder out, MBeanOperationInfo info, String separator) {
        MBeanParameterInfo[] signature = info.getSignature();
        String called = info.getName();
        if (signature.length > MAX_PARAMETERS || called == null || called.length() > MAX_NAME) return false;
        JsonWriter.string(out.append(separator).append("{\"name\":"), called);
        JsonWriter.value(out.append(",\"description\":"), cut(info.getDescription()));
        out.append(",\"isReading\":").append(info.getImpact() == MBeanOperationInfo.INFO);
        JsonWriter.string(out.append(",\"returns\":"), cut(String.valueOf(info.getReturnType())));
        out.append(",\"parameters\":[");
        for (int at = 0; at < signature.length; at++) {
            String name = signature[at].getName();
            boolean isNamed = name != null && name.length() <= MAX_NAME;
            JsonWriter.value(out.append(at == 0 ? "" : ",").append("{\"name\":"), isNamed ? name : null);
            JsonWriter.string(out.append(",\"type\":"), cut(String.valueOf(signature[at].getType())));
            JsonWriter.value(out.append(",\"description\":"), cut(signature[at].getDescription()));
            out.append('}');
        }
        out.append("]}");
        return true;
    }

    private static String cut(String text) {
        return text == null || text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }

    /** `{"id":…,"name":…,"segments":[…],"kind":…}`. */
    void write(StringBuilder out, int kindNumber) {
        JsonWriter.string(out.append("{\"id\":").append(id).append(",\"name\":"), cut(name.getCanonicalName()));
        JsonWriter.string(out.append(",\"spoken\":"), cut(String.valueOf(name)));
        out.append(",\"segments\":[");
        for (int at = 0; at < Math.min(segments.length, 50); at++) {
            JsonWriter.string(out.append(at == 0 ? "" : ","), cut(segments[at]));
        }
        out.append("],\"kind\":").append(kindNumber).append('}');
    }

    AttributeFacts attribute(Object named) {
        for (AttributeFacts each : attributes) if (each.name.equals(named)) return each;
        return null;
    }

    /** Beans whose attributes are described one by one list their getters and setters as operations, too. */
    private static boolean isAccessor(MBeanOperationInfo operation) {
        Descriptor descriptor = operation.getDescriptor();
        Object role = descriptor == null ? null : descriptor.getFieldValue("role");
        return "getter".equals(role) || "setter".equals(role);
    }

    private static String[] segmentsOf(ObjectName name) {
        Map<String, String> left = new TreeMap<String, String>(name.getKeyPropertyList());
        List<String> segments = new ArrayList<String>();
        segments.add(name.getDomain());
        for (String first : new String[] {"type", "j2eeType", "name"}) {
            String value = left.remove(first);
            if (value != null) segments.add(unquoted(value));
        }
        // A server without applications has `J2EEApplication=none`, which says nothing.
        for (String value : left.values()) if (!value.equals("none")) segments.add(unquoted(value));
        return segments.toArray(new String[0]);
    }

    private static String unquoted(String value) {
        try {
            return value.startsWith("\"") ? ObjectName.unquote(value) : value;
        } catch (IllegalArgumentException e) {
            return value;
        }
    }

    /** Values that cannot be read any more are not shown as current. */
    void forgetValues() {
        for (AttributeFacts attribute : attributes) attribute.value = Values.NOTHING;
    }

    static final class AttributeFacts {
        private static final long MINUTE_NANOS = 60000000000L;
        private static final long SLOW_NANOS = 50000000L;
        private static final long MAX_PAUSE_NANOS = 5 * MINUTE_NANOS;
        private static final long FIRST_PAUSE_NANOS = 4000000000L;

        final String name;
        final String type;
        final String description;
        final boolean isReadable;
        final boolean isWritable;
        /** The last value that it returned, in a form for records; a blocked one may return at any time. */
        private volatile Object value = Values.NOTHING;
        private boolean isPaused;
        private long pausedUntil;
        private long pause;

        AttributeFacts(MBeanAttributeInfo info) {
            name = info.getName();
            type = String.valueOf(info.getType());
            description = info.getDescription();
            isReadable = info.isReadable() && Values.canShow(type);
            isWritable = info.isWritable() && Values.canShow(type) && name.length() <= MAX_NAME
                && type.length() <= MAX_TEXT;
        }

        boolean mayBeAsked() {
            if (isPaused && System.nanoTime() - pausedUntil >= 0) isPaused = false;
            return isReadable && !isPaused;
        }

        /** An attribute that throws has no value, and is not read for a minute. */
        void threw() {
            value = Values.NOTHING;
            pauseFor(MINUTE_NANOS);
        }

        /** A slow attribute is read less and less often. */
        void answered(Object newValue, long nanos) {
            value = newValue;
            if (newValue == Values.NOTHING) pauseFor(MINUTE_NANOS);
            else if (nanos > SLOW_NANOS) {
                pause = pause == 0 ? FIRST_PAUSE_NANOS : Math.min(pause * 2, MAX_PAUSE_NANOS);
                pauseFor(pause);
            } else pause = 0;
        }

        /** `Values.NOTHING` if it has none. */
        Object value() {
            return value;
        }

        private void pauseFor(long nanos) {
            isPaused = true;
            pausedUntil = System.nanoTime() + nanos;
        }
    }
}
