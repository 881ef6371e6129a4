namespace Example
{
    /// <summary>In an assembly that the program has not needed yet.</summary>
    public class Thing
    {
        public int Weight() { return 1; }
    }

    public class Box<T>
    {
        public T Inside;
    }
}
