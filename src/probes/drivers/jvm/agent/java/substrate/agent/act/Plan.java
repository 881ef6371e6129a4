package substrate.agent.act;

/** A value that was found to fit. Nothing of the app has run for it yet: making it may call constructors. */
abstract class Plan {
    /** How far the JSON is from the type: among overloads the lowest sum wins. */
    final int cost;

    Plan(int cost) {
        this.cost = cost;
    }

    abstract Object make() throws Exception;

    /** True: there is nothing left to make. */
    boolean isReady() {
        return false;
    }

    static Plan ready(Object value, int cost) {
        return new Ready(value, cost);
    }

    private static final class Ready extends Plan {
        private final Object value;

        Ready(Object value, int cost) {
            super(cost);
            this.value = value;
        }

        @Override
        Object make() {
            return value;
        }

        @Override
        boolean isReady() {
            return true;
        }
    }
}
