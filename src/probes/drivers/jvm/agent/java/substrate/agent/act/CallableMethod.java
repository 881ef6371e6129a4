package substrate.agent.act;

/** One method that can be called. Holds no class, so that it may be kept. */
final class CallableMethod {
    final String name;
    final String descriptor;
    final boolean isStatic;
    /** As JSON, see method-facts.ts; null: they are told. */
    String facts;

    CallableMethod(String name, String descriptor, boolean isStatic, String facts) {
        this.name = name;
        this.descriptor = descriptor;
        this.isStatic = isStatic;
        this.facts = facts;
    }

    String key() {
        return name + descriptor;
    }
}
