namespace Substrate.Read
{
    /// <summary>A collection of a type that never has elements.</summary>
    sealed class EmptyContainer : Container
    {
        internal EmptyContainer(int kind) : base(kind) { }

        internal override int Size(object target)
        {
            return 0;
        }

        internal override void Each(object target, ITaker taker) { }
    }
}
