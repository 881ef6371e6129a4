namespace Substrate.Read
{
    /// <summary>
    /// How the elements of one type of collection are read from its private fields, without calling it.
    /// </summary>
    abstract class Container
    {
        internal const int List = 0;
        internal const int Set = 1;
        internal const int Map = 2;
        /// <summary>
        /// More than any collection that is read; ends the way through one that another thread is just changing.
        /// </summary>
        internal const int MaxSteps = 1 << 26;
        /// <summary>The size of a collection that cannot be counted here.</summary>
        internal const int Unknown = -1;

        internal readonly int Kind;

        protected Container(int kind)
        {
            Kind = kind;
        }

        /// <summary>As the collection counts, or Unknown; may be off by a little while it is being changed.</summary>
        internal abstract int Size(object target);

        internal abstract void Each(object target, ITaker taker);

        /// <summary>False: the order of the elements is an accident of their hashes, and others shift it.</summary>
        internal virtual bool IsOrdered(object target)
        {
            return true;
        }
    }
}
