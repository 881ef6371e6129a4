using System;
using System.Collections.Generic;
using Substrate.Json;

namespace Substrate.Health
{
    // Parts of the agent that do not work in this program, with the problem and its effect in words for people.
    static class Parts
    {
        const int MaxParts = 20;
        const int MaxProblem = 200;
        static readonly object gate = new object();
        static readonly List<KeyValuePair<string, string>> missing = new List<KeyValuePair<string, string>>();
        static int version;

        // `problem` holds no value of the program and no message of an exception. The first problem of a part is kept.
        internal static void Miss(string name, string problem)
        {
            lock (gate)
            {
                if (missing.Count == MaxParts || missing.Exists(part => part.Key == name)) return;
                string text = problem.Length <= MaxProblem ? problem : problem.Substring(0, MaxProblem);
                missing.Add(new KeyValuePair<string, string>(name, text));
                version++;
            }
        }

        // `effect` says what the user does not get.
        internal static void Miss(string name, string effect, Exception error)
        {
            Miss(name, error.GetType().Name + ": " + effect);
        }

        // The part works now.
        internal static void Have(string name)
        {
            lock (gate)
                if (missing.RemoveAll(part => part.Key == name) > 0) version++;
        }

        internal static int Version
        {
            get { lock (gate) return version; }
        }

        // `[{"name": …, "problem": …}]`
        internal static void Write(JsonWriter answer)
        {
            lock (gate)
            {
                char separator = '[';
                foreach (KeyValuePair<string, string> part in missing)
                {
                    answer.Raw(separator).Raw("{\"name\":").Text(part.Key).Raw(",\"problem\":").Text(part.Value).Raw('}');
                    separator = ',';
                }
                answer.Raw(separator == '[' ? "[]" : "]");
            }
        }
    }
}
