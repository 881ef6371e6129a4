namespace Example
{
    /// <summary>In an assembly that is loaded after the rest was looked at.</summary>
    public sealed class Unquiet : Quiet
    {
        static int noise;
        public override int Level() { return noise++; }
    }
}
