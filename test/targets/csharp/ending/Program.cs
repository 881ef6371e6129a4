using System;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Threading;

namespace Ending
{
    /// <summary>
    /// Ends as it is told: `r` Main returns 7, `e` Environment.Exit(8), `t` throws, `b` Exit(9) on another thread, `c` Main
    /// works for a moment and ends at once with 7.
    /// </summary>
    public static class Program
    {
        [DllImport("libc")]
        static extern void _exit(int code);

        public static int Main()
        {
            Console.WriteLine("ready");
            for (;;)
            {
                switch (Console.Read())
                {
                    case 'r':
                        return 7;
                    case 'c':
                        for (Stopwatch watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 300;) { }
                        _exit(7);
                        break;
                    case 'e':
                        Environment.Exit(8);
                        break;
                    case 't':
                        throw new InvalidOperationException("as told");
                    case 'b':
                        new Thread(() => Environment.Exit(9)) { IsBackground = true }.Start();
                        break;
                    case -1:
                        Thread.Sleep(Timeout.Infinite);
                        break;
                }
            }
        }
    }
}
