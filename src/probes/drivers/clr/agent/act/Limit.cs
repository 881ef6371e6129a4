namespace Substrate.Act
{
    // How long an action is waited for, and whether the app's code is told to stop when that is over.
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
