using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Substrate.Budget;
using Substrate.Channels;
using Substrate.Json;
using Substrate.Read;

namespace Substrate
{
    // One daemon's requests: captures run on a thread of the connection, one after the other, each call of an action on
    // a thread of its own. The agent's thread reads the messages, and never waits for either.
    sealed class Connection
    {
        const int MaxWaiting = 16;
        readonly Agent agent;
        readonly Channel channel;
        readonly int number;
        // Guards the two fields that follow.
        readonly Gate gate = new Gate();
        readonly List<Dictionary<string, object>> waiting = new List<Dictionary<string, object>>();
        bool isEnded;
        // Wakes the thread that captures, which also closes it: one of the two has changed. Null before the hello.
        Signal news;
        // Null before the hello was answered.
        volatile RequestHandler handler;

        internal Connection(Agent agent, Channel channel, int number)
        {
            this.agent = agent;
            this.channel = channel;
            this.number = number;
        }

        // Throws on a malformed request.
        internal void Take(byte[] message)
        {
            var request = JsonReader.Read(Encoding.UTF8.GetString(message)) as Dictionary<string, object>;
            object op = null;
            if (request == null || !request.TryGetValue("op", out op)) throw new FormatException("no request");
            switch (op as string)
            {
                case "hello":
                    Begin(request);
                    break;
                case "capture":
                case "methods":
                case "rules":
                case "heapSize":
                case "heap":
                    if (!Queue(request)) Refuse(request, "too many captures are waiting, or no hello has come");
                    break;
                case "describe":
                case "invoke":
                case "use":
                    Call(request);
                    break;
                case "dispose":
                    agent.Dispose();
                    break;
                default:
                    Refuse(request, "unknown operation " + op);
                    break;
            }
        }

        // Does not wait: the program may never end a call.
        internal void End()
        {
            using (gate.Enter())
            {
                isEnded = true;
                waiting.Clear();
            }
            RequestHandler served = handler;
            if (served != null) served.Cancel();
            if (news != null) news.Set();
        }

        void Begin(Dictionary<string, object> hello)
        {
            if (news != null) throw new FormatException("a second hello");
            news = new Signal();
            try
            {
                Threads.Start("substrate-capture", Threads.Usual, () => Serve(hello));
            }
            catch (Exception)
            {
                news.Dispose();
                throw;
            }
        }

        void Serve(Dictionary<string, object> hello)
        {
            RequestHandler made = null;
            try
            {
                Dictionary<string, object> budget = BudgetOf(hello);
                var pace = new Pace(Number(budget, "searchMs"), Number(budget, "searchPercent"));
                double memoryBytes = Number(budget, "memoryBytes");
                made = new RequestHandler(Whole(hello, "maxKeys"), pace, memoryBytes, IsTrue(hello, "forms"));
                handler = made;
                JsonWriter answer = Answer(hello).Raw("\"result\":{\"protocol\":").Whole(Protocol.Version);
                answer.Raw(",\"build\":").Text(Build.Hash);
                answer.Raw(",\"framework\":").Text(RuntimeInformation.FrameworkDescription);
                answer.Raw(",\"entry\":").Text(RequestHandler.Cut(Ownership.Entry, 1000));
                made.Health(answer);
                Send(answer.Raw("}}"));
                for (Dictionary<string, object> next = Next(); next != null; next = Next()) Read(made, next);
            }
            catch (Exception failed)
            {
                Send(Error(hello, failed));
            }
            finally
            {
                news.Dispose();
                if (made != null) made.Close();
                handler = null;
            }
        }

        void Read(RequestHandler served, Dictionary<string, object> request)
        {
            JsonWriter answer = Answer(request).Raw("\"result\":");
            try
            {
                var op = request["op"] as string;
                if (op == "heapSize") RequestHandler.HeapSize(answer);
                else if (op == "rules")
                {
                    Rules.Learn(request);
                    answer.Raw("{}");
                }
                else if (op == "methods") served.Methods(answer, request);
                else if (op == "heap") served.Heap(answer, request["library"] as string);
                else served.Capture(answer, request);
                answer.Raw('}');
            }
            catch (Exception failed)
            {
                answer = Error(request, failed);
            }
            Send(answer);
        }

        bool Queue(Dictionary<string, object> request)
        {
            using (gate.Enter())
            {
                if (news == null || waiting.Count >= MaxWaiting) return false;
                waiting.Add(request);
            }
            news.Set();
            return true;
        }

        // Null if the connection has ended.
        Dictionary<string, object> Next()
        {
            for (;;)
            {
                using (gate.Enter())
                {
                    if (isEnded) return null;
                    if (waiting.Count > 0)
                    {
                        Dictionary<string, object> first = waiting[0];
                        waiting.RemoveAt(0);
                        return first;
                    }
                }
                news.Wait();
            }
        }

        void Call(Dictionary<string, object> request)
        {
            if (handler == null)
            {
                Refuse(request, "no hello has come");
                return;
            }
            if (!agent.BeginCall())
            {
                Refuse(request, "too many calls are still running");
                return;
            }
            try
            {
                Threads.Start("substrate-invoke", Threads.Usual, () => Invoke(request));
            }
            catch (Exception)
            {
                // Nothing is lost: the request is refused, with the reason.
                agent.EndCall();
                Refuse(request, "the program has no room for another thread");
            }
        }

        void Invoke(Dictionary<string, object> request)
        {
            try
            {
                JsonWriter answer = Answer(request);
                try
                {
                    answer.Raw("\"result\":");
                    if ("describe".Equals(request["op"])) handler.Describe(answer, request);
                    else handler.Invoke(answer, request);
                    answer.Raw('}');
                }
                catch (Exception failed)
                {
                    answer = Error(request, failed);
                }
                Send(answer);
            }
            finally
            {
                agent.EndCall();
            }
        }

        // The agent's thread must not wait until the daemon has room for an answer.
        void Refuse(Dictionary<string, object> request, string reason)
        {
            JsonWriter answer = Answer(request).Raw("\"error\":").Text(reason).Raw('}');
            Threads.Start("substrate-answer", Threads.Small, () => Send(answer));
        }

        void Send(JsonWriter answer)
        {
            channel.Send(number, answer.Pieces(), answer.Length);
            answer.Release();
        }

        static JsonWriter Error(Dictionary<string, object> request, Exception failed)
        {
            string reason = failed.GetType().Name + ": " + failed.Message;
            return Answer(request).Raw("\"error\":").Text(reason).Raw('}');
        }

        static JsonWriter Answer(Dictionary<string, object> request)
        {
            object id;
            request.TryGetValue("id", out id);
            return new JsonWriter().Raw("{\"id\":").Value(id).Raw(',');
        }

        internal static bool IsTrue(Dictionary<string, object> request, string name)
        {
            object value;
            return request.TryGetValue(name, out value) && value is bool && (bool)value;
        }

        static Dictionary<string, object> BudgetOf(Dictionary<string, object> hello)
        {
            object given;
            hello.TryGetValue("budget", out given);
            var budget = given as Dictionary<string, object>;
            if (budget == null) throw new FormatException("no budget");
            return budget;
        }

        static double Number(Dictionary<string, object> request, string name)
        {
            object value;
            request.TryGetValue(name, out value);
            if (!(value is long) && !(value is double) && !(value is decimal)) throw new FormatException("no " + name);
            return Math.Max(0, Convert.ToDouble(value, CultureInfo.InvariantCulture));
        }

        static int Whole(Dictionary<string, object> request, string name)
        {
            object value;
            if (!request.TryGetValue(name, out value) || !(value is long)) throw new FormatException("no " + name);
            return (int)Math.Max(0, Math.Min(int.MaxValue, (long)value));
        }
    }
}
