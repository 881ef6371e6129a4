using System;
using System.Threading;

namespace Ending
{
    /// <summary>Ends as it is told: `r` Main returns 7, `e` Environment.Exit(8), `t` throws, `b` Exit(9) on another thread.</summary>
    public static class Program
    {
        public static int Main()
        {
            Console.WriteLine("ready");
            for (;;)
            {
                switch (Console.Read())
                {
                    case 'r':
                        return 7;
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
