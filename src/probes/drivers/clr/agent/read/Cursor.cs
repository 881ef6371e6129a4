namespace Substrate.Read
{
    /// <summary>How far the children of an object are read, and to whom they are handed.</summary>
    sealed class Cursor
    {
        internal Sink Sink;
        /// <summary>Children before this one were taken earlier.</summary>
        internal int From;
        internal int Position;
        /// <summary>Of the next element.</summary>
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

        /// <summary>The child here was not taken earlier.</summary>
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

        /// <summary>The count, before the elements.</summary>
        internal bool Count(string name, long hash, int count)
        {
            if (IsThere)
            {
                Sink.Name(name, hash);
                if (Refused(Sink.Scalar(Kind.Whole, count, 0, null))) return false;
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
