using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using Substrate.Channels;

namespace Substrate
{
    // Starts the agent for every kind of caller. A start where one runs already replaces it.
    static class Boot
    {
        // Replaces the folder as argument: the socket has to be closed. ../../mono/mono-attach.ts has the same
        // constant.
        const string Close = "-";

        // Called by Mono, on the thread that accepts attaches, which stays here.
        public static int Main(string[] args)
        {
            try
            {
                string path = args != null && args.Length > 0 ? args[0] : null;
                if (typeof(object).Assembly.GetType("Mono.Runtime") == null) return 0;
                if (path == Close) MonoListener.CloseUnlessServed();
                else MonoListener.Serve(() => Start(path));
                return 0;
            }
            catch (Exception)
            {
                // Nothing is lost: the runtime gives the 1 to the daemon, and no agent answers it.
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
                // Nothing is lost: no agent answers the daemon, which reports that.
            }
        }

        // Returns at once, and never throws. `path`: the folder, where the caller names it.
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
                // Nothing is lost: no agent answers the daemon, which reports that.
                return false;
            }
        }
    }

    // The agent of a program that was started with it: it makes its folder itself and waits there for daemons, one
    // after the other, as long as the program lives. It needs no feature of the runtime that could be switched off.
    static class Companion
    {
        const string Variable = "DOTNET_STARTUP_HOOKS";
        // A daemon that ends an agent may want to start another one.
        const int PauseMs = 500;

        // Whether the program was started with this very assembly. It is then removed from the variable: a child
        // process would not start if the file were gone by that time.
        internal static bool IsAtStart()
        {
            string hooks = Environment.GetEnvironmentVariable(Variable);
            if (string.IsNullOrEmpty(hooks)) return false;
            string own = typeof(Companion).Assembly.Location;
            var others = new List<string>();
            bool isNamed = false;
            foreach (string hook in hooks.Split(Path.PathSeparator))
            {
                if (hook == own) isNamed = true;
                else others.Add(hook);
            }
            if (isNamed)
            {
                string rest = string.Join(Path.PathSeparator.ToString(), others.ToArray());
                Environment.SetEnvironmentVariable(Variable, rest.Length == 0 ? null : rest);
            }
            return isNamed;
        }

        internal static void Start()
        {
            Threads.Start("substrate-agent", Threads.Small, Live);
        }

        static void Live()
        {
            for (;;)
            {
                HeldFolder folder = HeldFolder.Make();
                if (folder == null || !Agent.RunIn(folder)) return;
                Thread.Sleep(PauseMs);
            }
        }
    }
}
