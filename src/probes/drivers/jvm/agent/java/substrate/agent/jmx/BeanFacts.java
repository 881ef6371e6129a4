package substrate.agent.jmx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.Descriptor;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What a bean says of itself, and how its attributes have behaved. Holds names only, nothing of the app. */
final class BeanFacts {
    private static final int MAX_ATTRIBUTES = 500;

    final BeanKey key;
    final ObjectName name;
    final String className;
    /** `Cache`, `main`: the type first, then the name, then what else is in its name. */
    final String[] segments;
    final List<AttributeFacts> attributes = new ArrayList<AttributeFacts>();
    final List<BeanOverloads> operations = new ArrayList<BeanOverloads>();

    BeanFacts(MBeanServer server, BeanKey key, ObjectName name) throws Exception {
        this.key = key;
        this.name = name;
        segments = segmentsOf(name);
        MBeanInfo info = server.getMBeanInfo(name);
        className = String.valueOf(info.getClassName());
        for (MBeanAttributeInfo attribute : info.getAttributes()) {
            if (attribute != null && attributes.size() < MAX_ATTRIBUTES) attributes.add(new AttributeFacts(attribute));
        }
        List<OperationFacts> found = new ArrayList<OperationFacts>();
        for (MBeanOperationInfo operation : info.getOperations()) {
            if (operation != null && !isAccessor(operation)) found.add(new OperationFacts(operation));
        }
        BeanOverloads.collect(found, operations);
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
        // Of a server without applications `J2EEApplication=none` says nothing.
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

    /** What tells it from others of its type: `main`, `localhost / docs`. */
    String ownName() {
        StringBuilder out = new StringBuilder();
        for (int at = 2; at < segments.length; at++) out.append(at > 2 ? " / " : "").append(segments[at]);
        return out.toString();
    }

    /** What can not be asked for any more is not shown as if it were so still. */
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
        /** What it last told, as a record may hold it; one that blocked may tell it at any time. */
        private volatile Object value = Values.NOTHING;
        private boolean isPaused;
        private long pausedUntil;
        private long pause;

        AttributeFacts(MBeanAttributeInfo info) {
            name = info.getName();
            type = String.valueOf(info.getType());
            description = info.getDescription();
            isReadable = info.isReadable() && Values.canShow(type);
            isWritable = info.isWritable() && Values.canShow(type) && TypeNames.canBeMade(type);
        }

        boolean mayBeAsked() {
            if (isPaused && System.nanoTime() - pausedUntil >= 0) isPaused = false;
            return isReadable && !isPaused;
        }

        /** One that throws has no value, and is not asked for a minute. */
        void threw() {
            value = Values.NOTHING;
            pauseFor(MINUTE_NANOS);
        }

        /** One that is slow is asked less and less often. */
        void answered(Object newValue, long nanos) {
            value = newValue;
            if (newValue == Values.NOTHING) pauseFor(MINUTE_NANOS);
            else if (nanos > SLOW_NANOS) {
                pause = pause == 0 ? FIRST_PAUSE_NANOS : Math.min(pause * 2, MAX_PAUSE_NANOS);
                pauseFor(pause);
            } else pause = 0;
        }

        /** `Values.NOTHING`: it has none. */
        Object value() {
            return value;
        }

        private void pauseFor(long nanos) {
            isPaused = true;
            pausedUntil = System.nanoTime() + nanos;
        }
    }

    static final class OperationFacts {
        final String name;
        final String description;
        final boolean isReading;
        final String returns;
        final String[] types;
        final String[] parameters;
        final String[] descriptions;

        OperationFacts(MBeanOperationInfo info) {
            name = info.getName();
            description = info.getDescription();
            isReading = info.getImpact() == MBeanOperationInfo.INFO;
            returns = String.valueOf(info.getReturnType());
            MBeanParameterInfo[] signature = info.getSignature();
            types = new String[signature.length];
            parameters = new String[signature.length];
            descriptions = new String[signature.length];
            for (int at = 0; at < signature.length; at++) {
                types[at] = signature[at].getType();
                descriptions[at] = signature[at].getDescription();
                parameters[at] = TypeNames.parameter(signature[at].getName(), types, at, parameters);
            }
        }

        /** `reload(java.lang.String)` */
        String signature() {
            StringBuilder out = new StringBuilder(name).append('(');
            for (int at = 0; at < types.length; at++) out.append(at > 0 ? "," : "").append(types[at]);
            return out.append(')').toString();
        }
    }
}
