using System;
using System.Collections.Generic;
using System.Threading;

namespace Graph
{
    /// <summary>Holds the graph in a static field.</summary>
    public static class Program
    {
        internal static World world = new World();
        // A long table that never changes.
        internal static readonly List<string> GLOSSARY = Glossary();

        public static void Main()
        {
            Console.WriteLine("ready " + GLOSSARY.Count + Registry.INSTANCE.entries);
            while (Console.Read() >= 0) { }
            Thread.Sleep(Timeout.Infinite);
        }

        static List<string> Glossary()
        {
            var words = new List<string>();
            for (int at = 0; at < 600; at++) words.Add("word " + at);
            return words;
        }
    }
}
