using System;
using System.Threading;
using Substrate.Health;

namespace Substrate
{
    // The agent's threads: none keeps the program alive, and no exception leaves one.
    static class Threads
    {
        internal const int Small = 256 * 1024;
        internal const int Usual = 0;

        // Throws where the program has no room for another thread, or ends: a Mono that ends would crash.
        internal static Thread Start(string name, int stackBytes, Action work)
        {
            if (Environment.HasShutdownStarted) throw new InvalidOperationException("the program ends");
            var thread = new Thread(() => Guard(work), stackBytes) { IsBackground = true, Name = name };
            thread.Start();
            return thread;
        }

        static void Guard(Action work)
        {
            try
            {
                work();
            }
            catch (Exception discarded)
            {
                // The waiting side sees the end of the connection.
                Discarded.Count("Threads.Guard", discarded);
            }
        }
    }
}
