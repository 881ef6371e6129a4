namespace Substrate.Read
{
    /// <summary>A collection whose elements another object of one known type keeps: SortedDictionary.</summary>
    sealed class OuterContainer : Container
    {
        readonly Accessor held;
        readonly Container inner;

        internal OuterContainer(Accessor held, Container inner) : base(inner.Kind)
        {
            this.held = held;
            this.inner = inner;
        }

        internal override int Size(object target)
        {
            object keeper = held.Get(target);
            return keeper == null ? 0 : inner.Size(keeper);
        }

        internal override void Each(object target, ITaker taker)
        {
            object keeper = held.Get(target);
            if (keeper != null) inner.Each(keeper, taker);
        }
    }
}
