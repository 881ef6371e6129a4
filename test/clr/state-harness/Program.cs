using System;
using System.Collections.Generic;
using System.Reflection;

namespace Harness
{
    /// <summary>Runs the cases named by the arguments, `Suite` or `Suite.Case`: static methods without parameters. One line each.</summary>
    static class Program
    {
        static int Main(string[] names)
        {
            if (names.Length > 0 && names[0] == "bench")
            {
                Bench.Run(names);
                return 0;
            }
            if (names.Length > 0 && names[0] == "echo")
            {
                Echo.Run();
                return 0;
            }
            string tables = Environment.GetEnvironmentVariable("TABLES");
            Substrate.Read.Rules.Learn((Dictionary<string, object>)Substrate.Json.JsonReader.Read(tables));
            foreach (string name in names)
            {
                int dot = name.IndexOf('.');
                string suiteName = dot < 0 ? name : name.Substring(0, dot);
                Type suite = typeof(Program).Assembly.GetType("Harness." + suiteName, true);
                foreach (MethodInfo method in suite.GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.DeclaredOnly))
                {
                    if (method.GetParameters().Length > 0 || dot > 0 && name.Substring(dot + 1) != method.Name) continue;
                    string result = "ok";
                    try
                    {
                        method.Invoke(null, null);
                    }
                    catch (TargetInvocationException thrown)
                    {
                        result = thrown.InnerException.ToString().Replace('\n', ' ').Replace('\r', ' ');
                        if (result.Length > 2500) result = result.Substring(0, 2500);
                    }
                    Console.WriteLine(suiteName + "." + method.Name + "\t" + result);
                }
            }
            return 0;
        }
    }
}
