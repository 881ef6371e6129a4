using System;
using System.Collections.Generic;
using System.Threading;
using Substrate.Budget;
using Substrate.Health;

namespace Substrate.Forms
{
    // All windows as they are now, read on their threads in pieces of a few milliseconds between which the app goes on.
    // The result holds no object of the app.
    sealed class WindowSnapshot
    {
        static readonly TimeSpan Piece = TimeSpan.FromMilliseconds(4);
        // Windows, the oldest first.
        internal readonly List<Widget> Windows = new List<Widget>();
        readonly List<object> showing;
        readonly List<object> left;
        readonly Memory.Registry registry;
        readonly object finished = new object();
        readonly DateTime began = DateTime.UtcNow;
        ControlWalk walk;
        object posted;
        volatile bool isGivenUp;
        bool isFinished;
        double spent;

        internal WindowSnapshot(List<object> showing, Memory.Registry registry)
        {
            this.showing = showing;
            this.registry = registry;
            left = new List<object>(showing);
        }

        internal void Start()
        {
            Go(left.Count == 0 ? null : left[0]);
        }

        // False if the threads of the windows were busy.
        internal bool Wait(int milliseconds)
        {
            lock (finished)
            {
                if (!isFinished) Monitor.Wait(finished, milliseconds);
                return isFinished;
            }
        }

        // The time of the windows' threads, in ms, once it is finished.
        internal double Spent => spent;

        internal TimeSpan Age => DateTime.UtcNow - began;

        // True if the window that it waits for is gone, and its posted work with it.
        internal bool IsOrphan()
        {
            object window = posted;
            return window == null || !Forms.Windows.IsShowing(window);
        }

        // Work that still runs on the thread of a window does nothing any more.
        internal void GiveUp()
        {
            isGivenUp = true;
        }

        // A window that is gone meanwhile is left out.
        void Go(object window)
        {
            while (window != null)
            {
                posted = window;
                if (Forms.Windows.Post(window, Run)) return;
                walk = null;
                if (left.Count > 0 && ReferenceEquals(left[0], window)) left.RemoveAt(0);
                window = left.Count == 0 ? null : left[0];
            }
            Finish();
        }

        void Run()
        {
            if (isGivenUp) return;
            object next = null;
            double began = ThreadTime.Now;
            try
            {
                next = ReadUntil(DateTime.UtcNow + Piece);
            }
            catch (Exception discarded)
            {
                // A window that cannot be read is left out; the exception does not reach the app.
                Discarded.Count("WindowSnapshot.Run", discarded);
                walk = null;
                next = left.Count == 0 ? null : left[0];
            }
            spent += ThreadTime.Now - began;
            Go(next);
        }

        // The window on whose thread it continues; null if all is read.
        object ReadUntil(DateTime until)
        {
            for (;;)
            {
                if (walk != null && !walk.Read(until)) return posted;
                walk = null;
                if (left.Count == 0) return null;
                object window = left[0];
                if (DateTime.UtcNow > until || !Forms.Windows.IsOfThisThread(window)) return window;
                left.RemoveAt(0);
                posted = window;
                Begin(window);
            }
        }

        void Begin(object window)
        {
            if (!Forms.Windows.IsShowing(window)) return;
            Memory memory = registry.Of(window);
            Type type = window.GetType();
            bool isOfApp = !Library.Declares(type);
            var widget = new Widget(Kind.Window, memory, memory.Control);
            widget.Fact("className", type.FullName);
            if (isOfApp || type == Library.Class("Form")) widget.Fact("name", Property.Text(window, "Control.Name"));
            if (isOfApp) widget.Fact("type", type.Name);
            widget.Flag("modal", Forms.Windows.IsModal(window));
            widget.Flag("blocked", Forms.Windows.IsBlocked(window, showing));
            widget.Flag("active", ReferenceEquals(window, Forms.Windows.Active()));
            widget.Fact("text", Forms.Windows.TitleOf(window));
            widget.Fact("message", Forms.Windows.MessageOf(window));
            Windows.Add(widget);
            walk = new ControlWalk(window, widget, registry);
        }

        void Finish()
        {
            lock (finished)
            {
                // No object of the app is kept after the snapshot.
                walk = null;
                posted = null;
                left.Clear();
                showing.Clear();
                isFinished = true;
                Monitor.PulseAll(finished);
            }
        }
    }
}
