namespace Substrate.Read
{
    // How the elements of one type of collection are read from its private fields, without calling it.
    abstract class Container
    {
        internal const int List = 0;
        internal const int Set = 1;
        internal const int Map = 2;
        // More than any collection that is read; ends the way through one that another thread is just changing.
        internal const int MaxSteps = 1 << 26;
        // The size of a collection that cannot be counted here.
        internal const int Unknown = -1;

        internal readonly int Kind;

        protected Container(int kind)
        {
            Kind = kind;
        }

        // As the collection counts, or Unknown; may be off by a little while it is being changed.
        internal abstract int Size(object target);

        internal abstract void Each(object target, ITaker taker);

        // False: the order of the elements is an accident of their hashes, and others shift it.
        internal virtual bool IsOrdered(object target)
        {
            return true;
        }
    }
}
