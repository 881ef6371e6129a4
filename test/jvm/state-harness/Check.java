package harness;

final class Check {
    private Check() {}

    static void same(String what, Object expected, Object actual) {
        if (expected == null ? actual != null : !expected.equals(actual))
            throw new AssertionError(what + ": expected <" + expected + "> but got <" + actual + ">");
    }

    static void that(String what, boolean holds) {
        if (!holds) throw new AssertionError(what);
    }
}
