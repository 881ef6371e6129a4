package substrate.agent.state;

/** Classes of libraries are known by name: the agent must not link them. */
final class Lineage {
    private Lineage() {}

    /** True when the object's class or one above it has this name. */
    static boolean has(Object object, String name) {
        for (Class<?> at = object.getClass(); at != null; at = at.getSuperclass())
            if (at.getName().equals(name)) return true;
        return false;
    }
}
