using System;
using System.Collections.Generic;
using System.Threading;
using Substrate.Budget;
using Substrate.Health;

namespace Substrate.Forms
{
    // All windows as they are now, read on their threads in pieces of a few milliseconds between which the app goes on.
    // What it brings back holds nothing of the app.
    sealed class WindowSnapshot
    {
        static readonly TimeSpan Piece = TimeSpan.FromMilliseconds(4);
        // The oldest first.
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

        // False: the threads of the windows were busy.
        internal bool Wait(int milliseconds)
        {
            lock (finished)
            {
                if (!isFinished) Monitor.Wait(finished, milliseconds);
                return isFinished;
            }
        }

        // Of the threads of the windows, in ms; once it is finished.
        internal double Spent => spent;

        internal TimeSpan Age => DateTime.UtcNow - began;

        // The window that it waits for is gone, and what was to run on its thread with it.
        internal bool IsOrphan()
        {
            object window = posted;
            return window == null || !Forms.Windows.IsShowing(window);
        }

        // What still comes of it on the thread of a window does nothing.
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
                // A window that cannot be read is left out, and nothing of this reaches the app.
                Discarded.Count("WindowSnapshot.Run", discarded);
                walk = null;
                next = left.Count == 0 ? null : left[0];
            }
            spent += ThreadTime.Now - began;
            Go(next);
        }

        // The window on whose thread it goes on; null: all is read.
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
                // Nothing of the app is kept beyond the look.
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
