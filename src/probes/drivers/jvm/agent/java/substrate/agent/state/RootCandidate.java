package substrate.agent.state;

import java.lang.ref.WeakReference;

/** A place where state was found to begin. Holds the object weakly; or a class, for its static fields. */
final class RootCandidate {
    final String origin;
    /** Static fields of `type`. */
    final boolean isStatic;
    /** What it would be called; `name` is that, made unique. */
    final String wish;
    /** What it would be called if the first is taken; null: numbered. */
    final String otherWish;
    String name;
    /** Null: the name itself. */
    final String label;
    private final WeakReference<Object> target;
    /** Made by this agent for this capture: nothing else keeps it. */
    private final Object made;

    RootCandidate(String wish, String otherWish, String origin, String label, Object target, boolean isStatic, boolean isMade) {
        this.wish = wish;
        this.otherWish = otherWish;
        this.origin = origin;
        this.label = label;
        this.isStatic = isStatic;
        this.target = isMade ? null : new WeakReference<Object>(target);
        this.made = isMade ? target : null;
    }

    static RootCandidate object(String wish, String origin, Object target) {
        return new RootCandidate(wish, null, origin, null, target, false, false);
    }

    static RootCandidate statics(Class<?> type, boolean holdsState) {
        String origin = (holdsState ? "static fields of " : "constants of ") + type.getName();
        return new RootCandidate(RootNames.simple(type), RootNames.withOuter(type), origin, null, type, true, false);
    }

    /** For one capture. */
    static RootCandidate made(Root root) {
        RootCandidate found = new RootCandidate(root.name, null, root.origin, root.label, root.value, false, true);
        found.name = root.name;
        return found;
    }

    /** null: it is gone. */
    Object target() {
        return target == null ? made : target.get();
    }
}
