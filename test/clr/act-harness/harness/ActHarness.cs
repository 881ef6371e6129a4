using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Text;
using System.Threading;
using Substrate.Budget;
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
        readonly MethodActions actions;
        readonly Assembly model;
        readonly object shop;

        ActHarness()
        {
            model = Assembly.LoadFrom(Path.Combine(AppDomain.CurrentDomain.BaseDirectory, "Model.dll"));
            shop = Activator.CreateInstance(model.GetType("Example.Shop"));
            shown.Roots["shop"] = shop;
            shown.Roots["Statics"] = model.GetType("Example.Statics");
            actions = new MethodActions(shown, Pace.Free());
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
                case "actions": return Told(Settled(actions));
                case "same": return Same();
                case "crowd": return Crowd();
                case "invoke": return Invoke((string)request["binding"], (Dictionary<string, object>)request["args"],
                    (long)request["timeoutMs"], !request.ContainsKey("interrupt"));
                case "kitchenCalls": return (long)(int)Field(Field(shop, "kitchen"), "calls");
                case "made": return (long)(int)model.GetType("Example.Item").GetField("Made").GetValue(null);
                case "load": return Assembly.LoadFrom((string)request["file"]).FullName;
                case "lazy": return Lazy();
                case "begin": return Call(Field(shop, "grid"), "Begin");
                case "release": return Call(Field(shop, "grid"), "Release");
                case "rush": return Rush((int)(long)request["calls"]);
                case "fuzzIl": return Fuzz.Il(model, (int)(long)request["runs"]);
                case "fuzzMetadata": return Fuzz.Metadata(model, (int)(long)request["runs"]);
                case "fuzzJson": return Fuzz.Json(shown, model, (int)(long)request["runs"]);
                default: throw new InvalidOperationException("no such request");
            }
        }

        static IList<ActionInfo> Settled(MethodActions source)
        {
            // After a change, a list that is settled already has to be looked at once more.
            IList<ActionInfo> list = source.Actions();
            for (int looks = 0; !source.IsSettled && looks < 2000; looks++) list = source.Actions();
            return list;
        }

        static List<object> Told(IList<ActionInfo> infos)
        {
            var told = new List<object>();
            foreach (ActionInfo info in infos)
            {
                var parameters = new List<object>();
                foreach (Parameter each in info.Parameters)
                    parameters.Add(new Dictionary<string, object>
                    {
                        { "name", each.Name }, { "type", each.Type }, { "required", each.Required },
                            { "description", each.Description },
                    });
                told.Add(new Dictionary<string, object>
                {
                    { "binding", info.Binding }, { "name", info.Name }, { "parameters", parameters },
                        { "returns", info.Returns },
                    { "effect", info.Effect }, { "description", info.Description },
                });
            }
            return told;
        }

        /// <summary>
        /// Whether the list is the very same: at once, after a look that found nothing new, and with another root.
        /// </summary>
        object Same()
        {
            IList<ActionInfo> before = Settled(actions);
            bool isSame = ReferenceEquals(before, actions.Actions());
            shown.HoldersVersion++;
            bool isStillSame = ReferenceEquals(before, Settled(actions));
            shown.Roots["another"] = shop;
            shown.HoldersVersion++;
            bool isNever = ReferenceEquals(before, Settled(actions));
            shown.Roots.Remove("another");
            shown.HoldersVersion++;
            return new List<object> { isSame, isStillSame, isNever };
        }

        /// <summary>A type that is met in a hundred places.</summary>
        object Crowd()
        {
            var holders = new List<Holder>();
            for (int at = 0; at < 100; at++)
                holders.Add(new Holder("a.carts" + at, model.GetType("Example.Cart"), false));
            holders.Add(new Holder("a.b.c.shelf", model.GetType("Example.Shelf"), false));
            holders.Add(new Holder("a.b.c.kitchen", model.GetType("Example.Kitchen"), false));
            var counts = new Dictionary<string, object>();
            IList<ActionInfo> infos = Settled(new MethodActions(new FakeShown(holders), Pace.Free()));
            foreach (ActionInfo info in infos)
            {
                string place = info.Name.Substring(0, info.Name.LastIndexOf('.'));
                if (place.StartsWith("a.carts")) place = "carts";
                counts[place] = counts.ContainsKey(place) ? (long)counts[place] + 1 : 1L;
            }
            counts["first"] = infos[0].Name;
            return counts;
        }

        /// <summary>
        /// A program that refers to an assembly which is not loaded: what is told of it, and whether it is loaded then.
        /// </summary>
        static object Lazy()
        {
            Assembly lazy = Assembly.LoadFrom(Path.Combine(AppDomain.CurrentDomain.BaseDirectory, "Lazy.dll"));
            var state = new FakeShown(null);
            state.Roots["waiting"] = Activator.CreateInstance(lazy.GetType("Example.Waiting"));
            var source = new MethodActions(state, Pace.Free());
            var answer = new Dictionary<string, object>();
            foreach (ActionInfo info in Settled(source)) answer[info.Name] = info.Effect;
            answer["loaded"] = IsAbsentLoaded();
            lazy.GetType("Example.Waiting").GetMethod("Weigh").Invoke(state.Roots["waiting"], new object[] { 1 });
            answer["loaded after use"] = IsAbsentLoaded();
            foreach (ActionInfo info in Settled(source)) answer["then " + info.Name] = info.Effect;
            return answer;
        }

        static bool IsAbsentLoaded()
        {
            foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
                if (assembly.FullName.StartsWith("Absent,")) return true;
            return false;
        }

        object Invoke(string binding, Dictionary<string, object> args, long timeoutMs, bool interrupt)
        {
            var answer = new Dictionary<string, object>();
            try
            {
                Outcome outcome = actions.Invoke(binding, args, new Limit((int)timeoutMs, interrupt));
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
        object Rush(int calls)
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
                        actions.Invoke("method:shop.trouble#Locked", new Dictionary<string, object>(), new Limit(1000, true));
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
