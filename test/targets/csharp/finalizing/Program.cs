using System;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Finalizing
{
    public sealed class Part
    {
        ~Part()
        {
            Console.WriteLine("finalized");
        }
    }

    /// <summary>
    /// Old objects that nobody needs any more, and that say so when they are collected: only a collection of everything
    /// does that. `g` collects. Arguments: how much state it has; an assembly to be loaded.
    /// </summary>
    public static class Program
    {
        static int[] state;
        static Part[] parts;

        public static int Main(string[] args)
        {
            state = new int[int.Parse(args[0])];
            if (args.Length > 1) Assembly.LoadFrom(args[1]);
            Make();
            // Old ones are left alone by collections of the young.
            for (int round = 0; round < 3; round++) GC.Collect();
            parts = null;
            Overwrite(100);
            Console.WriteLine("ready");
            for (int read = Console.Read(); read >= 0; read = Console.Read())
                if (read == 'g')
                {
                    GC.Collect();
                    GC.WaitForPendingFinalizers();
                    Console.WriteLine("collected");
                }
            return 0;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Make()
        {
            parts = new Part[50];
            for (int at = 0; at < parts.Length; at++) parts[at] = new Part();
        }

        /// <summary>What is left on the stack keeps objects of Mono's alive.</summary>
        [MethodImpl(MethodImplOptions.NoInlining)]
        static int Overwrite(int depth)
        {
            return depth == 0 ? 0 : Overwrite(depth - 1) + 1;
        }
    }
}
