namespace Substrate.Read
{
    // A collection that keeps its elements in another one: Collection, and what an app derives from it.
    sealed class InnerContainer : Container
    {
        readonly Shapes shapes;
        readonly Accessor inner;

        internal InnerContainer(int kind, Shapes shapes, Accessor inner) : base(kind)
        {
            this.shapes = shapes;
            this.inner = inner;
        }

        internal override int Size(object target)
        {
            object held = inner.Get(target);
            Container container = shapes.ContainerOf(held);
            return container == null ? Unknown : container.Size(held);
        }

        internal override void Each(object target, ITaker taker)
        {
            object held = inner.Get(target);
            Container container = shapes.ContainerOf(held);
            if (container != null) container.Each(held, taker);
        }

        internal override bool IsOrdered(object target)
        {
            object held = inner.Get(target);
            Container container = shapes.ContainerOf(held);
            return container == null || container.IsOrdered(held);
        }
    }
}
