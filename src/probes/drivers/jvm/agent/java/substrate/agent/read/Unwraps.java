package substrate.agent.read;

import java.lang.reflect.Proxy;

import substrate.agent.vm.Vm;

/** Objects in whose place another object is shown: one that they hold, wrap or stand for. */
final class Unwraps {
    abstract static class Unwrap {
        /** The object that is shown instead; the object itself if it stands for no other. */
        abstract Object target(Object wrapper);
    }

    private static final String[] WRAPPERS = {
        "java.util.Collections$Unmodifiable", "java.util.Collections$Synchronized", "java.util.Collections$Checked",
    };

    private final Vm vm;

    Unwraps(Vm vm) {
        this.vm = vm;
    }

    /** For a class of the JDK whose objects are shown as a record or an entry; otherwise null. */
    Unwrap viewOf(Class<?> type) {
        switch (type.getName()) {
            case "java.util.concurrent.CompletableFuture": return future(Slot.find(vm, type, "result"));
            case "java.util.AbstractMap$SimpleEntry":
            case "java.util.AbstractMap$SimpleImmutableEntry":
            case "java.util.KeyValueHolder":
                return entry(Slot.find(vm, type, "key"), Slot.find(vm, type, "value"));
            default: return null;
        }
    }

    /**
     * For a class of the JDK or of a library; null if it is no wrapper. References that the garbage collector may clear
     * do not count: reading one would keep its object alive.
     */
    Unwrap of(Class<?> type) {
        String name = type.getName();
        for (String prefix : WRAPPERS)
            if (name.startsWith(prefix)) return held(Slot.find(vm, type, "c"), Slot.find(vm, type, "m"));
        switch (name) {
            case "java.util.Optional":
            case "java.util.concurrent.atomic.AtomicReference":
                return held(Slot.find(vm, type, "value"), null);
            case "java.util.OptionalInt":
            case "java.util.OptionalLong":
            case "java.util.OptionalDouble":
                return optional(Slot.find(vm, type, "isPresent"), Slot.find(vm, type, "value"));
            case "java.util.concurrent.atomic.AtomicReferenceArray":
            case "java.util.concurrent.atomic.AtomicIntegerArray":
            case "java.util.concurrent.atomic.AtomicLongArray":
                return held(Slot.find(vm, type, "array"), null);
            case "java.util.concurrent.atomic.AtomicMarkableReference":
            case "java.util.concurrent.atomic.AtomicStampedReference":
                return through("pair", "reference");
            case "java.util.concurrent.DelayQueue": return held(Slot.find(vm, type, "q"), null);
            case "kotlin.SynchronizedLazyImpl":
            case "kotlin.SafePublicationLazyImpl":
            case "kotlin.UnsafeLazyImpl":
                return held(Slot.find(vm, type, "_value"), null);
            case "clojure.lang.Atom":
            case "clojure.lang.Agent":
                return held(Slot.find(vm, type, "state"), null);
            case "clojure.lang.Volatile": return held(Slot.find(vm, type, "val"), null);
            case "clojure.lang.Ref": return through("tvals", "val");
            // A delay that has not run yet shows its function, which is not shown: it is not run for that.
            case "clojure.lang.Delay": return either("fn", "val");
            case "clojure.lang.BigInt": return either("bipart", "lpart");
            case "scala.Some": return held(Slot.find(vm, type, "x"), Slot.find(vm, type, "value"));
            case "scala.None$": return absent();
            case "scala.math.BigDecimal": return held(Slot.find(vm, type, "bigDecimal"), null);
            case "scala.math.BigInt":
                return held(Slot.find(vm, type, "bigInteger"), Slot.find(vm, type, "scala$math$BigInt$$_bigInteger"));
            default: return null;
        }
    }

    /** The object of the app inside a framework's proxy, as far as fields lead to it. */
    Unwrap ofProxy(final Class<?> type) {
        return new Unwrap() {
            @Override
            Object target(Object proxy) {
                Object handler = Proxy.isProxyClass(type) ? value(proxy, "h") : null;
                if (handler == null) handler = value(proxy, "CGLIB$CALLBACK_0");
                Object advised = handler == null ? null : value(handler, "advised");
                Object source = advised == null ? null : value(advised, "targetSource");
                Object target = source == null ? null : value(source, "target");
                if (target != null) return target;
                Object interceptor = value(proxy, "$$_hibernate_interceptor");
                target = interceptor == null ? null : value(interceptor, "target");
                return target == null ? proxy : target;
            }
        };
    }

    private Unwrap held(final Slot first, final Slot other) {
        final Slot slot = first != null ? first : other;
        return slot == null ? null : new Unwrap() {
            @Override
            Object target(Object wrapper) {
                return slot.get(wrapper);
            }
        };
    }

    private Unwrap through(final String outer, final String inner) {
        return new Unwrap() {
            @Override
            Object target(Object wrapper) {
                Object middle = value(wrapper, outer);
                return middle == null ? null : value(middle, inner);
            }
        };
    }

    private Unwrap either(final String first, final String other) {
        return new Unwrap() {
            @Override
            Object target(Object wrapper) {
                Object found = value(wrapper, first);
                if (found != null) return found;
                Slot slot = Slot.find(vm, wrapper.getClass(), other);
                return slot == null ? null : slot.get(wrapper);
            }
        };
    }

    private static Unwrap absent() {
        return new Unwrap() {
            @Override
            Object target(Object wrapper) {
                return null;
            }
        };
    }

    private static Unwrap optional(final Slot isPresent, final Slot value) {
        return isPresent == null || value == null ? null : new Unwrap() {
            @Override
            Object target(Object wrapper) {
                return Boolean.TRUE.equals(isPresent.get(wrapper)) ? value.get(wrapper) : null;
            }
        };
    }

    private Unwrap future(final Slot result) {
        return result == null ? null : new Unwrap() {
            @Override
            Object target(Object wrapper) {
                Object outcome = result.get(wrapper);
                if (outcome == null) return new Record().put("state", "pending");
                if (!outcome.getClass().getName().equals("java.util.concurrent.CompletableFuture$AltResult"))
                    return new Record().put("state", "done").put("result", outcome);
                Object failure = value(outcome, "ex");
                return failure == null
                    ? new Record().put("state", "done").put("result", null)
                    : new Record().put("state", "failed").put("failure", failure);
            }
        };
    }

    private static Unwrap entry(final Slot key, final Slot value) {
        return key == null || value == null ? null : new Unwrap() {
            @Override
            Object target(Object wrapper) {
                return new Entry(key.get(wrapper), value.get(wrapper));
            }
        };
    }

    private Object value(Object target, String name) {
        Slot slot = Slot.find(vm, target.getClass(), name);
        return slot == null || slot.type != 'L' ? null : slot.get(target);
    }
}
