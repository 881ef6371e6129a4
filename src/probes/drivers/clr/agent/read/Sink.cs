namespace Substrate.Read
{
    // Takes the children of one object, one after the other: first where a child stands, then what it is. A value
    // method answers false when it did not take the child and no further one is wanted.
    abstract class Sink
    {
        // A field; `hash` is that of the name.
        internal abstract void Name(string name, long hash);

        internal abstract void Index(int index);

        // The key of a dictionary, as text.
        internal abstract void Key(string key);

        internal abstract bool Value(object value);

        // What the words are, says `kind`: see LeafKind.
        internal abstract bool Scalar(byte kind, long bits, long more, object text);
    }
}
