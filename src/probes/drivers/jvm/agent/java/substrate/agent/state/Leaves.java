package substrate.agent.state;

/** Takes the leaves of a walk. */
interface Leaves {
    /**
     * `text` is what `kind` says; see Leaf. The path of the leaf can be asked of the walk's child. False: it is there
     * already.
     */
    boolean put(long hash, byte kind, long bits, Object text);
}
