using System;
using Substrate.Channels;

namespace Substrate
{
    /// <summary>Starts the agent, whoever calls. A start where one runs already replaces it.</summary>
    static class Boot
    {
        /// <summary>In the place of the folder: the door is to be closed. The same word stands in ../../mono-attach.ts.</summary>
        const string Close = "-";

        /// <summary>Called by Mono, on the thread that takes its attaches; that thread stays.</summary>
        public static int Main(string[] args)
        {
            try
            {
                string path = args != null && args.Length > 0 ? args[0] : null;
                if (typeof(object).Assembly.GetType("Mono.Runtime") == null) return 0;
                if (path == Close) MonoDoor.CloseUnlessKept();
                else MonoDoor.Keep(() => Start(path));
                return 0;
            }
            catch (Exception)
            {
                return 1;
            }
        }

        /// <summary>Returns at once, and never throws.</summary>
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

        /// <summary>Returns at once, and never throws. `path`: of the folder, where it is told.</summary>
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
