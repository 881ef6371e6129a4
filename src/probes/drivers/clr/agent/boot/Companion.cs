using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using Substrate.Channels;

namespace Substrate
{
    // The agent of a program that was started with it: it makes its folder itself and waits there for daemons, one
    // after the other, as long as the program lives. It needs nothing of the runtime that could be switched off.
    static class Companion
    {
        const string Variable = "DOTNET_STARTUP_HOOKS";
        // A daemon that ends an agent may want to put another one in its place.
        const int PauseMs = 500;

        // Whether the program was started with this very assembly. It is taken out of the variable then: a program that
        // this one starts would not run if the file were gone by that time.
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
                if (folder == null || !Agent.LiveIn(folder)) return;
                Thread.Sleep(PauseMs);
            }
        }
    }
}
