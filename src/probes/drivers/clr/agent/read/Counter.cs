namespace Substrate.Read
{
    // Counts the elements of a collection, to one more than the most.
    sealed class Counter : ITaker
    {
        readonly int most;
        internal int Count;

        internal Counter(int most)
        {
            this.most = most;
        }

        public bool Take(Accessor key, object keyHolder, Accessor value, object valueHolder, int index)
        {
            return ++Count <= most;
        }
    }
}
