using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using Substrate.Act;
using Substrate.Budget;
using Substrate.State;

namespace Substrate.Forms
{
    /// <summary>
    /// The windows of a program that uses Windows Forms, as a person sees them: what stands in them is state, what can
    /// be used is an action. In a program that has not loaded Windows Forms it does nothing, and does not load it.
    ///
    /// A look runs on the threads of the windows, in pieces of a few milliseconds, and reads properties of the
    /// framework, which controls of the app may override. When such a thread is busy the last answer stands, and no
    /// second look is asked for.
    ///
    /// A field that is disabled is shown like any other: that it cannot be set is told by the missing action. What
    /// cannot be seen is not shown. Nothing is added to a control, so nothing has to be taken away at the end.
    /// </summary>
    sealed class FormsUi : IRootSource, IActionSource
    {
        internal const string UiScheme = "ui:";
        const int PatienceMs = 50;
        static readonly TimeSpan FirstPatience = TimeSpan.FromSeconds(2);
        static readonly TimeSpan MaxPatience = TimeSpan.FromSeconds(10);
        readonly object gate = new object();
        MemoryBook book = new MemoryBook();
        Look pending;
        readonly Pace pace;
        /// <summary>Still to be compiled; null: not looked for yet.</summary>
        List<MethodBase> cold;
        TimeSpan patience = FirstPatience;
        volatile Screen screen = Screen.Empty;

        internal FormsUi(Pace pace)
        {
            this.pace = pace;
        }

        public string Scheme { get { return UiScheme; } }
        /// <summary>Of the window in front; null: none is open, or this program has no windows.</summary>
        internal string WindowTitle { get { return screen.Title; } }
        internal string WindowId { get { return screen.Id; } }

        public IList<Root> Roots(bool fresh)
        {
            lock (gate)
            {
                try
                {
                    Look();
                }
                catch (Exception)
                {
                    // The last answer stands.
                    GiveUp();
                }
                return screen.Roots;
            }
        }

        void Look()
        {
            if (pending != null)
            {
                // It was late: what it has seen is better than nothing, and a new look is better than that.
                if (pending.Wait(PatienceMs)) Take(pending);
                else if (pending.IsOrphan) GiveUp();
                else if (pending.Age < patience) return;
                else
                {
                    // A thread that hangs is asked less and less often.
                    GiveUp();
                    patience = patience + patience < MaxPatience ? patience + patience : MaxPatience;
                }
            }
            List<object> showing = Windows.Showing();
            if (showing.Count == 0)
            {
                screen = Screen.Empty;
                return;
            }
            if (!WarmUp()) return;
            pending = new Look(showing, book);
            pending.Start();
            if (pending.Wait(PatienceMs)) Take(pending);
        }

        /// <summary>
        /// What runs on the threads of the windows is compiled before, so that they do not wait for it. False: not all
        /// of it yet.
        /// </summary>
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
            Property.ResolveAll();
            return methods;
        }

        static void Compile(MethodBase method)
        {
            bool canBe = !method.IsAbstract && !method.ContainsGenericParameters;
            if (canBe) RuntimeHelpers.PrepareMethod(method.MethodHandle);
        }

        void Take(Look look)
        {
            pending = null;
            patience = FirstPatience;
            pace.Add(look.Spent);
            Screen seen = Screen.Of(look);
            seen.Actions.KeepIfSame(screen.Actions);
            screen = seen;
        }

        void GiveUp()
        {
            if (pending != null) pending.GiveUp();
            pending = null;
        }

        public IList<ActionInfo> Actions()
        {
            return screen.Actions.Actions;
        }

        public Outcome Invoke(string binding, Dictionary<string, object> args, Limit limit)
        {
            Target target;
            bool isKnown = screen.Actions.Targets.TryGetValue(binding, out target);
            object window = isKnown ? target.Window.Target : null;
            if (window == null) throw new NotDispatched("this control is not there any more");
            return new EventCall(target, args).Await(window, limit.Ms);
        }

        /// <summary>What is on its way to the thread of a window does nothing any more.</summary>
        internal void Close()
        {
            lock (gate)
            {
                GiveUp();
                screen = Screen.Empty;
                book = new MemoryBook();
            }
        }
    }
}
