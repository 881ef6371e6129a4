namespace Substrate.Act
{
    // How long the caller waits for an action, and whether the app's code is cancelled then.
    sealed class Limit
    {
        internal readonly int Ms;
        internal readonly bool Cancels;

        internal Limit(int ms, bool cancels)
        {
            Ms = ms;
            Cancels = cancels;
        }
    }
}
