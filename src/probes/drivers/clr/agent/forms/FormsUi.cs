using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using Substrate.Act;
using Substrate.Budget;
using Substrate.Health;
using Substrate.Json;
using Substrate.State;

namespace Substrate.Forms
{
    // The windows of a program with Windows Forms as a tree of facts; the daemon decides what they mean. In a program
    // without Windows Forms it does nothing, and does not load it. A snapshot is taken on the threads of the windows,
    // in pieces of a few milliseconds, and reads properties of the framework, which controls of the app may override.
    // While such a thread is busy the last snapshot is reported, and no second one is requested. Invisible windows are
    // not reported. Nothing is added to a control, so nothing has to be removed at the end.
    sealed class FormsUi
    {
        internal const string Effect = "windows are not read, and their controls give no actions";
        const int WaitMs = 50;
        static readonly TimeSpan FirstDeadline = TimeSpan.FromSeconds(2);
        static readonly TimeSpan MaxDeadline = TimeSpan.FromSeconds(10);
        readonly object gate = new object();
        readonly ScreenReport report = new ScreenReport();
        Memory.Registry registry = new Memory.Registry();
        WindowSnapshot pending;
        List<Widget> windows = new List<Widget>();
        readonly Pace pace;
        // Methods still to be compiled; null before the first call.
        List<MethodBase> cold;
        TimeSpan deadline = FirstDeadline;
        volatile Dictionary<int, Widget> widgets = new Dictionary<int, Widget>();

        internal FormsUi(Pace pace)
        {
            this.pace = pace;
        }

        // Called at each capture.
        internal void ReadWindows()
        {
            lock (gate)
            {
                try
                {
                    TakeSnapshot();
                }
                catch (Exception discarded)
                {
                    // The last snapshot is reported.
                    Discarded.Count("FormsUi.ReadWindows", discarded);
                    if (discarded is TypeLoadException || discarded is MissingMemberException)
                        Parts.Miss("windows_forms", Effect, discarded);
                    GiveUp();
                }
            }
        }

        void TakeSnapshot()
        {
            if (pending != null)
            {
                // The last snapshot was late: it is better than nothing, but a new one is better.
                if (pending.Wait(WaitMs)) Take(pending);
                else if (pending.IsOrphan()) GiveUp();
                else if (pending.Age < deadline) return;
                else
                {
                    // A thread that hangs gets requests less and less often.
                    GiveUp();
                    deadline = deadline + deadline < MaxDeadline ? deadline + deadline : MaxDeadline;
                }
            }
            List<object> showing = Windows.Showing();
            if (showing.Count == 0) Keep(new List<Widget>());
            if (showing.Count == 0 || !WarmUp()) return;
            pending = new WindowSnapshot(showing, registry);
            pending.Start();
            if (pending.Wait(WaitMs)) Take(pending);
        }

        // Compiles the code that runs on the threads of the windows in advance, so that they do not wait for it. False
        // if some is left.
        bool WarmUp()
        {
            if (cold == null) cold = All();
            for (; cold.Count > 0; cold.RemoveAt(cold.Count - 1))
            {
                if (!pace.Go()) return false;
                Compile(cold[cold.Count - 1]);
            }
            return true;
        }

        static List<MethodBase> All()
        {
            var methods = new List<MethodBase>();
            const BindingFlags Any = BindingFlags.Static | BindingFlags.Instance | BindingFlags.Public
                | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
            foreach (Type type in typeof(FormsUi).Assembly.GetTypes())
            {
                if (type.Namespace != typeof(FormsUi).Namespace || type.ContainsGenericParameters) continue;
                RuntimeHelpers.RunClassConstructor(type.TypeHandle);
                methods.AddRange(type.GetMethods(Any));
                methods.AddRange(type.GetConstructors(Any));
            }
            Property.FindUsual();
            return methods;
        }

        static void Compile(MethodBase method)
        {
            bool canBe = !method.IsAbstract && !method.ContainsGenericParameters;
            if (canBe) RuntimeHelpers.PrepareMethod(method.MethodHandle);
        }

        void Take(WindowSnapshot snapshot)
        {
            pending = null;
            deadline = FirstDeadline;
            pace.Add(snapshot.Spent);
            Keep(snapshot.Windows);
        }

        void Keep(List<Widget> seen)
        {
            windows = seen;
            var known = new Dictionary<int, Widget>();
            foreach (Widget window in windows) AddTo(known, window);
            widgets = known;
        }

        static void AddTo(Dictionary<int, Widget> known, Widget widget)
        {
            known[widget.Memory.Id] = widget;
            foreach (Widget child in widget.Children) AddTo(known, child);
        }

        void GiveUp()
        {
            if (pending != null) pending.GiveUp();
            pending = null;
        }

        // Writes the changes since the last report, or null; `all`: everything.
        internal void Report(JsonWriter answer, bool all)
        {
            lock (gate) report.Write(answer, windows, all);
        }

        // Runs on a thread of its own. Throws when nothing was done; an exception of the app becomes an Outcome.
        internal Outcome Use(Dictionary<string, object> request, Dictionary<string, object> args, int timeoutMs)
        {
            Widget widget = null;
            object id;
            if (request.TryGetValue("widget", out id) && id is long) widgets.TryGetValue((int)(long)id, out widget);
            object window = widget == null ? null : widget.Window.Target;
            if (window == null) throw new NotDispatched("this control is not there any more");
            return new EventCall(new Performer(widget, request, args)).Await(window, timeoutMs);
        }

        // Work that is already posted to the thread of a window does nothing any more.
        internal void Close()
        {
            lock (gate)
            {
                GiveUp();
                Keep(new List<Widget>());
                registry = new Memory.Registry();
            }
        }
    }
}
