package substrate.agent.state;

/** Takes the leaves of a walk. */
interface Leaves {
    /**
     * `kind` determines `text`; see Leaf. The walk's child has the path of the leaf. False if the path exists already.
     */
    boolean put(long hash, byte kind, long bits, Object text);
}
