using System;
using System.Collections.Generic;
using Substrate.Act;
using Substrate.Budget;
using Substrate.Forms;
using Substrate.Health;
using Substrate.Hosts;
using Substrate.Json;
using Substrate.Roots;
using Substrate.State;

namespace Substrate
{
    // Serves one daemon: connects the state reader, the actions, and the caches of what was sent before.
    sealed class RequestHandler
    {
        const int MaxMessage = 10000;
        const int MaxReason = 4000;
        const int DefaultTimeoutMs = 10000;
        // The fraction of the search's time for windows.
        const double ForWindows = 0.3;
        readonly Pace pace;
        readonly HeapScan heap;
        readonly FormsUi forms;
        readonly StateReader reader;
        readonly MethodReporter methods;
        readonly SentCache sent = new SentCache();
        readonly HealthReport health = new HealthReport();
        // True while the last report reached the daemon; otherwise everything has to be sent.
        bool isInStep;

        internal RequestHandler(int maxKeys, Pace pace, double memoryBytes, bool wantsForms)
        {
            this.pace = pace;
            heap = new HeapScan(pace);
            forms = wantsForms ? new FormsUi(pace) : null;
            var held = new HeldRoots(pace);
            // Finders in the order in which their roots are shown.
            var finders = new List<IFinder> { new ShellVariables(), new StaticTypes(pace), new Services(held), held };
            heap.After(finders.ToArray());
            finders.Add(heap);
            finders.Add(new HostFinder(held));
            reader = new StateReader(maxKeys, finders, pace, memoryBytes);
            methods = new MethodReporter(reader, pace);
        }

        // Written as further members of an object.
        internal void Health(JsonWriter answer)
        {
            health.Write(answer, true);
        }

        internal void Capture(JsonWriter answer, Dictionary<string, object> request)
        {
            pace.Begin();
            bool all = Connection.IsTrue(request, "full") || !isInStep;
            isInStep = false;
            if (all) sent.Forget();
            object keys;
            request.TryGetValue("reservedKeys", out keys);
            reader.Reserve(keys is long ? (int)(long)keys : 0);
            pace.Next(ForWindows);
            if (forms != null) forms.ReadWindows();
            CaptureReport report = reader.Capture(all, Connection.IsTrue(request, "deep"));
            answer.Raw("{\"leaves\":").Raw(report.Leaves);
            sent.Roots(answer.Raw(",\"roots\":"), report.Roots);
            answer.Raw(",\"hasMethodNews\":").Flag(methods.HasNews);
            answer.Raw(",\"screen\":");
            if (forms == null) answer.Raw("null");
            else forms.Report(answer, all);
            answer.Raw(",\"rawCount\":").Whole(report.RawCount);
            answer.Raw(",\"coverage\":").Decimal(Math.Max(0, Math.Min(1, report.Coverage)));
            answer.Raw(",\"stoppedBy\":").Text(pace.WasStopped ? "time" : report.IsFull ? "memory" : null);
            if (report.IsElsewhere) answer.Raw(",\"isElsewhere\":true");
            answer.Raw(",\"costMs\":").Decimal(Math.Max(0, pace.End()));
            health.Write(answer, all);
            answer.Raw('}');
            isInStep = true;
        }

        // Called after a capture; its time is a part of that of the search until all methods are listed.
        internal void Methods(JsonWriter answer, Dictionary<string, object> request)
        {
            if (!methods.IsListed) pace.SearchAgain();
            pace.Begin();
            methods.Report(answer, request);
            answer.Raw(",\"costMs\":").Decimal(Math.Max(0, pace.End())).Raw('}');
        }

        internal static void HeapSize(JsonWriter answer)
        {
            answer.Raw("{\"megabytes\":").Decimal(MemoryInfo.Alive / 1048576.0).Raw('}');
        }

        internal void Heap(JsonWriter answer, string library)
        {
            answer.Raw("{\"found\":").Whole(heap.Scan(library)).Raw('}');
        }

        internal void Invoke(JsonWriter answer, Dictionary<string, object> request)
        {
            try
            {
                object call;
                request.TryGetValue("call", out call);
                NameRoots(request);
                var method = call as Dictionary<string, object>;
                bool isUse = "use".Equals(request["op"]);
                if (!isUse && method == null) throw new NotDispatched("there is no such action");
                Outcome outcome = isUse ? Use(request) : methods.Invoke(method, LimitOf(request));
                answer.Raw("{\"ok\":").Flag(outcome.Ok).Raw(",\"message\":").Text(Cut(outcome.Message, MaxMessage));
                answer.Raw(",\"rawReturn\":").Value(outcome.RawReturn).Raw(",\"context\":").Value(outcome.Context).Raw('}');
            }
            catch (BadArgument refused)
            {
                Refuse(answer, "argument", refused);
            }
            catch (NotDispatched refused)
            {
                Refuse(answer, refused is Busy ? "busy" : "gone", refused);
            }
        }

        // Describes, before a call, the values that its parameters take.
        internal void Describe(JsonWriter answer, Dictionary<string, object> request)
        {
            NameRoots(request);
            methods.Describe(answer, request);
        }

        // Maps the root names in the paths of a request to roots.
        void NameRoots(Dictionary<string, object> request)
        {
            object roots;
            request.TryGetValue("roots", out roots);
            reader.Name(roots as Dictionary<string, object> ?? new Dictionary<string, object>());
        }

        Outcome Use(Dictionary<string, object> request)
        {
            if (forms == null) throw new NotDispatched("this program has no windows");
            return forms.Use(request, Arguments(request), LimitOf(request).Ms);
        }

        // May be called on any thread: nobody waits for the current work any more.
        internal void Cancel()
        {
            pace.Cancel();
        }

        internal void Close()
        {
            if (forms != null) forms.Close();
            reader.Close();
        }

        static void Refuse(JsonWriter answer, string why, Exception refused)
        {
            answer.Raw("{\"refused\":").Text(why).Raw(",\"message\":").Text(Cut(refused.Message, MaxReason)).Raw('}');
        }

        static Dictionary<string, object> Arguments(Dictionary<string, object> request)
        {
            object args;
            request.TryGetValue("args", out args);
            return args as Dictionary<string, object> ?? new Dictionary<string, object>();
        }

        static Limit LimitOf(Dictionary<string, object> request)
        {
            object timeout, interrupt;
            request.TryGetValue("timeoutMs", out timeout);
            request.TryGetValue("interrupt", out interrupt);
            int ms = timeout is long ? (int)Math.Max(1, Math.Min(int.MaxValue, (long)timeout)) : DefaultTimeoutMs;
            return new Limit(ms, true.Equals(interrupt));
        }

        internal static string Cut(string text, int max)
        {
            return text == null || text.Length <= max ? text : text.Substring(0, max);
        }
    }
}
