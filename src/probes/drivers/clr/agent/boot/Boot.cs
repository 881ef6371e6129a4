using System;
using Substrate.Channels;

namespace Substrate
{
    // Starts the agent, whoever calls. A start where one runs already replaces it.
    static class Boot
    {
        // In the place of the folder: the door is to be closed. The same word stands in ../../mono-attach.ts.
        const string Close = "-";

        // Called by Mono, on the thread that takes its attaches; that thread stays.
        public static int Main(string[] args)
        {
            try
            {
                string path = args != null && args.Length > 0 ? args[0] : null;
                if (typeof(object).Assembly.GetType("Mono.Runtime") == null) return 0;
                if (path == Close) MonoListener.CloseUnlessKept();
                else MonoListener.Keep(() => Start(path));
                return 0;
            }
            catch (Exception)
            {
                return 1;
            }
        }

        // Returns at once, and never throws.
        internal static void StartAsHook()
        {
            try
            {
                if (Companion.IsAtStart()) Companion.Start();
                else Start(null);
            }
            catch (Exception)
            {
                // Then there is no agent.
            }
        }

        // Returns at once, and never throws. `path`: of the folder, where it is told.
        internal static bool Start(string path)
        {
            try
            {
                HeldFolder folder = HeldFolder.Find(path);
                if (folder == null) return false;
                Agent.Start(folder);
                return true;
            }
            catch (Exception)
            {
                return false;
            }
        }
    }
}
