using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Text;
using System.Threading;
using Substrate.Budget;
using Substrate.Code;
using Substrate.Json;
using Substrate.State;

namespace Substrate.Act
{
    /// <summary>
    /// Answers one line of JSON for each line of JSON: what the tests ask of the actions of a small shop.
    /// </summary>
    sealed class ActHarness
    {
        const BindingFlags Any =
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;
        readonly FakeShown shown = new FakeShown(null);
        readonly Dictionary<string, MethodReporter> reporters = new Dictionary<string, MethodReporter>();
        readonly Assembly model;
        readonly object shop;
        FakeShown waiting;

        ActHarness()
        {
            model = Assembly.LoadFrom(Path.Combine(AppDomain.CurrentDomain.BaseDirectory, "Model.dll"));
            shop = Activator.CreateInstance(model.GetType("Example.Shop"));
            shown.Roots["shop"] = shop;
            shown.Roots["Statics"] = model.GetType("Example.Statics");
            reporters["shop"] = new MethodReporter(shown, Pace.Free());
            // A type that is met in a hundred places.
            var holders = new List<Holder>();
            for (int at = 0; at < 100; at++)
                holders.Add(new Holder("a.carts" + at, model.GetType("Example.Cart"), false));
            holders.Add(new Holder("a.b.c.shelf", model.GetType("Example.Shelf"), false));
            holders.Add(new Holder("a.b.c.kitchen", model.GetType("Example.Kitchen"), false));
            reporters["crowd"] = new MethodReporter(new FakeShown(holders), Pace.Free());
        }

        static void Main()
        {
            var harness = new ActHarness();
            var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };
            var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
            for (string line = input.ReadLine(); line != null; line = input.ReadLine())
            {
                object answer;
                try
                {
                    answer = harness.Answer((Dictionary<string, object>)JsonReader.Read(line));
                }
                catch (Exception failure)
                {
                    answer = "failed: " + failure;
                }
                output.WriteLine(TypeWords.Text(answer));
            }
        }

        object Answer(Dictionary<string, object> request)
        {
            switch ((string)request["op"])
            {
                case "methods": return Report(reporters[(string)request["of"]], request);
                case "describe":
                    var described = new JsonWriter();
                    reporters[(string)request["of"]].Describe(described, request);
                    return JsonReader.Read(described.ToString());
                case "another": return Another((bool)request["isThere"]);
                case "invoke": return Invoke((Dictionary<string, object>)request["call"],
                    (long)request["timeoutMs"], !request.ContainsKey("interrupt"));
                case "kitchenCalls": return (long)(int)Field(Field(shop, "kitchen"), "calls");
                case "made": return (long)(int)model.GetType("Example.Item").GetField("Made").GetValue(null);
                case "load": return Assembly.LoadFrom((string)request["file"]).FullName;
                case "lazy": return Lazy();
                case "useLazy": return UseLazy();
                case "isAbsentLoaded": return IsAbsentLoaded();
                case "begin": return Call(Field(shop, "grid"), "Begin");
                case "release": return Call(Field(shop, "grid"), "Release");
                case "rush": return Rush((int)(long)request["calls"], (Dictionary<string, object>)request["call"]);
                case "fuzzIl": return Fuzz.Il(model, (int)(long)request["runs"]);
                case "fuzzMetadata": return Fuzz.Metadata(model, (int)(long)request["runs"]);
                default: throw new InvalidOperationException("no such request");
            }
        }

        static object Report(MethodReporter reporter, Dictionary<string, object> request)
        {
            var answer = new JsonWriter();
            reporter.Report(answer, request);
            return JsonReader.Read(answer.Raw(",\"costMs\":0}").ToString());
        }

        // Holders come and go, with or without another root.
        object Another(bool isThere)
        {
            if (isThere) shown.Roots["another"] = shop;
            else shown.Roots.Remove("another");
            return (long)shown.HoldersVersion++;
        }

        // A program that refers to an assembly which is not loaded.
        object Lazy()
        {
            Assembly lazy = Assembly.LoadFrom(Path.Combine(AppDomain.CurrentDomain.BaseDirectory, "Lazy.dll"));
            waiting = new FakeShown(null);
            waiting.Roots["waiting"] = Activator.CreateInstance(lazy.GetType("Example.Waiting"));
            reporters["lazy"] = new MethodReporter(waiting, Pace.Free());
            return null;
        }

        object UseLazy()
        {
            object target = waiting.Roots["waiting"];
            return target.GetType().GetMethod("Weigh").Invoke(target, new object[] { 1 }) != null;
        }

        static bool IsAbsentLoaded()
        {
            foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
                if (assembly.FullName.StartsWith("Absent,")) return true;
            return false;
        }

        object Invoke(Dictionary<string, object> call, long timeoutMs, bool interrupt)
        {
            var answer = new Dictionary<string, object>();
            try
            {
                Outcome outcome = reporters["shop"].Invoke(call, new Limit((int)timeoutMs, interrupt));
                answer["ok"] = outcome.Ok;
                answer["message"] = outcome.Message;
                answer["rawReturn"] = outcome.RawReturn;
                answer["context"] = outcome.Context;
            }
            catch (BadArgument refused)
            {
                answer["refused"] = "argument";
                answer["message"] = refused.Message;
            }
            catch (NotDispatched refused)
            {
                answer["refused"] = refused is Busy ? "busy" : "gone";
                answer["message"] = refused.Message;
            }
            answer["running"] = (long)TimedCall.Running;
            return answer;
        }

        /// <summary>Many calls at once, all of which wait for a lock; how often each refusal was heard.</summary>
        object Rush(int calls, Dictionary<string, object> call)
        {
            var refusals = new Dictionary<string, object>();
            object padlock = Field(Field(shop, "trouble"), "padlock");
            var threads = new List<Thread>();
            Monitor.Enter(padlock);
            for (int at = 0; at < calls; at++)
            {
                var thread = new Thread(() =>
                {
                    try
                    {
                        reporters["shop"].Invoke(call, new Limit(1000, true));
                    }
                    catch (NotDispatched refused)
                    {
                        lock (refusals) refusals[refused.Message] = refusals.ContainsKey(refused.Message)
                            ? (long)refusals[refused.Message] + 1 : 1L;
                    }
                });
                thread.Start();
                threads.Add(thread);
            }
            foreach (Thread thread in threads) thread.Join();
            Monitor.Exit(padlock);
            return refusals;
        }

        static object Field(object of, string name)
        {
            return of.GetType().GetField(name, Any).GetValue(of);
        }

        static object Call(object of, string name)
        {
            return of.GetType().GetMethod(name, Any).Invoke(of, null);
        }
    }
}
