namespace Substrate.State
{
    // Takes the leaves of a walk.
    interface ILeaves
    {
        // The words are what `kind` says: see LeafKind. The path of the leaf can be asked of the walk's child. False: it is
        // there already.
        bool Put(long hash, byte kind, long bits, long more, object text);
    }
}
