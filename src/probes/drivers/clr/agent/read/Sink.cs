namespace Substrate.Read
{
    /// <summary>
    /// Takes the children of one object, one after the other: first where a child stands, then what it is. A value
    /// method answers false when it did not take the child and no further one is wanted.
    /// </summary>
    abstract class Sink
    {
        /// <summary>A field; `hash` is that of the name.</summary>
        internal abstract void Name(string name, long hash);

        internal abstract void Index(int index);

        /// <summary>The key of a dictionary, as text.</summary>
        internal abstract void Key(string key);

        internal abstract bool Value(object value);

        /// <summary>What the words are, says `kind`: see Kind.</summary>
        internal abstract bool Scalar(byte kind, long bits, long more, object text);
    }
}
