using System;
using System.Collections.Generic;
using System.Threading;
using Substrate.Budget;

namespace Substrate.Forms
{
    /// <summary>
    /// One look at all windows, each on its own thread, in pieces of a few milliseconds between which the app goes on.
    /// What it brings back holds nothing of the app; names are made of it elsewhere.
    /// </summary>
    sealed class Look
    {
        static readonly TimeSpan Piece = TimeSpan.FromMilliseconds(4);
        internal readonly List<WindowPart> Windows = new List<WindowPart>();
        readonly List<object> showing;
        readonly List<object> left;
        readonly MemoryBook book;
        readonly object finished = new object();
        readonly DateTime began = DateTime.UtcNow;
        ControlWalk walk;
        object posted;
        volatile bool isGivenUp;
        bool isFinished;
        double spent;

        internal Look(List<object> showing, MemoryBook book)
        {
            this.showing = showing;
            this.book = book;
            left = new List<object>(showing);
        }

        internal void Start()
        {
            Go(left.Count == 0 ? null : left[0]);
        }

        /// <summary>False: the threads of the windows were busy.</summary>
        internal bool Wait(int milliseconds)
        {
            lock (finished)
            {
                if (!isFinished) Monitor.Wait(finished, milliseconds);
                return isFinished;
            }
        }

        /// <summary>Of the threads of the windows, in ms; once it is finished.</summary>
        internal double Spent { get { return spent; } }

        internal TimeSpan Age { get { return DateTime.UtcNow - began; } }

        /// <summary>The window that it waits for is gone, and what was to run on its thread with it.</summary>
        internal bool IsOrphan
        {
            get
            {
                object window = posted;
                return window == null || !Forms.Windows.IsShowing(window);
            }
        }

        /// <summary>What still comes of it on the thread of a window does nothing.</summary>
        internal void GiveUp()
        {
            isGivenUp = true;
        }

        /// <summary>A window that is gone meanwhile is left out.</summary>
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
            catch (Exception)
            {
                // A window that cannot be read is left out, and nothing of this reaches the app.
                walk = null;
                next = left.Count == 0 ? null : left[0];
            }
            spent += ThreadTime.Now - began;
            Go(next);
        }

        /// <summary>The window on whose thread it goes on; null: all is read.</summary>
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
            var seen = new WindowPart(window, book.Of(window), showing, Forms.Windows.Active());
            Windows.Add(seen);
            walk = new ControlWalk(window, seen.Content, book);
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
