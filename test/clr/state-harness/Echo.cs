using System;
using System.Text;
using Substrate.Json;

namespace Harness
{
    /// <summary>Reads JSON and writes it again: one text a line, in base 64, an empty line for what is none.</summary>
    static class Echo
    {
        internal static void Run()
        {
            for (string line = Console.In.ReadLine(); line != null; line = Console.In.ReadLine())
            {
                string answer = "";
                try
                {
                    object value = JsonReader.Read(Encoding.UTF8.GetString(Convert.FromBase64String(line)));
                    answer = Convert.ToBase64String(Encoding.UTF8.GetBytes(new JsonWriter().Value(value).ToString()));
                }
                catch (FormatException)
                {
                    // No JSON.
                }
                Console.Out.WriteLine(answer);
            }
        }
    }
}
