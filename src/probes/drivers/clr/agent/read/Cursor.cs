namespace Substrate.Read
{
    // The position in the children of an object, and the sink that takes them.
    sealed class Cursor
    {
        internal Sink Sink;
        // Children before this position were taken earlier.
        internal int From;
        internal int Position;
        // The index of the next element.
        internal int Index;
        internal bool IsRefused;

        internal void Start(Sink into, int from)
        {
            Sink = into;
            From = from;
            Position = 0;
            Index = 0;
            IsRefused = false;
        }

        internal void End()
        {
            Sink = null;
        }

        // True if the child here was not taken earlier.
        internal bool IsThere
        {
            get { return Position >= From; }
        }

        internal bool Refused(bool taken)
        {
            IsRefused = !taken;
            return IsRefused;
        }

        internal bool Child(string name, long hash, object value)
        {
            if (IsThere)
            {
                Sink.Name(name, hash);
                if (Refused(Sink.Value(value))) return false;
            }
            Position++;
            return true;
        }

        // Reports the count, before the elements.
        internal bool Count(string name, long hash, int count)
        {
            if (IsThere)
            {
                Sink.Name(name, hash);
                if (Refused(Sink.Scalar(LeafKind.Whole, count, 0, null))) return false;
            }
            Position++;
            return true;
        }

        internal bool Element(object value)
        {
            if (IsThere)
            {
                Sink.Index(Index);
                if (Refused(Sink.Value(value))) return false;
            }
            Index++;
            Position++;
            return true;
        }
    }
}
