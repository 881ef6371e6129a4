namespace Substrate.State
{
    /// <summary>Takes the leaves of a walk.</summary>
    interface ILeaves
    {
        /// <summary>
        /// The words are what `kind` says: see Kind. The path of the leaf can be asked of the walk's child. False: it
        /// is there already.
        /// </summary>
        bool Put(long hash, byte kind, long bits, long more, object text);
    }
}
