package substrate.agent.act;

/** A value that passed the checks. No code of the app has run for it yet: making it may call constructors. */
abstract class Plan {
    abstract Object make() throws Exception;

    static Object[] makeAll(Plan[] plans) throws Exception {
        Object[] values = new Object[plans.length];
        for (int at = 0; at < plans.length; at++) values[at] = plans[at].make();
        return values;
    }

    static boolean areReady(Plan[] plans) {
        for (Plan plan : plans) if (!plan.isReady()) return false;
        return true;
    }

    /** True if nothing is left to make. */
    boolean isReady() {
        return false;
    }

    static Plan ready(Object value) {
        return new Ready(value);
    }

    private static final class Ready extends Plan {
        private final Object value;

        Ready(Object value) {
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
