using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using Substrate.Act;

namespace Substrate.Forms
{
    // One action on the thread of a window, and the wait for it.
    sealed class EventCall
    {
        const int Waiting = 0;
        const int Running = 1;
        const int Finished = 2;
        const int GivenUp = 3;
        const int LookMs = 10;
        const int TitleMs = 500;
        readonly Performer performer;
        readonly object changed = new object();
        int state = Waiting;
        Exception refused;
        Thrown thrown;

        internal EventCall(Performer performer)
        {
            this.performer = performer;
        }

        internal Outcome Await(object window, int timeoutMs)
        {
            List<object> before = Windows.Showing();
            DateTime deadline = DateTime.UtcNow.AddMilliseconds(timeoutMs);
            if (!Windows.Post(window, Run)) throw Gone();
            for (;;)
            {
                int now = Wait();
                if (now == Finished) return Result(NewWindow(before, false));
                // A handler that shows a modal dialog comes back when the dialog is closed.
                object dialog = now == Running ? NewWindow(before, true) : null;
                if (dialog != null) return Opened(dialog);
                if (now == Waiting && !Windows.IsShowing(window) && TakeBack()) throw Gone();
                if (DateTime.UtcNow >= deadline) return Late(timeoutMs);
            }
        }

        int Wait()
        {
            lock (changed)
            {
                if (state != Finished) Monitor.Wait(changed, LookMs);
                return state;
            }
        }

        // What the handlers of the app throw ends here: a box that tells of it would stop the app.
        void Run()
        {
            lock (changed)
            {
                if (state != Waiting) return;
                state = Running;
            }
            try
            {
                performer.Perform();
            }
            catch (Exception exception)
            {
                if (exception is BadArgument || exception is NotDispatched) refused = exception;
                else thrown = new Thrown(exception);
            }
            lock (changed)
            {
                state = Finished;
                Monitor.PulseAll(changed);
            }
        }

        bool TakeBack()
        {
            lock (changed)
            {
                if (state != Waiting) return false;
                state = GivenUp;
                return true;
            }
        }

        static object NewWindow(List<object> before, bool isModal)
        {
            foreach (object window in Windows.Showing())
            {
                bool isOld = false;
                foreach (object old in before) isOld |= ReferenceEquals(old, window);
                if (!isOld && (!isModal || Windows.IsModal(window))) return window;
            }
            return null;
        }

        NotDispatched Gone()
        {
            return new NotDispatched(performer.Called + " is not there any more");
        }

        Outcome Late(int timeoutMs)
        {
            string time = timeoutMs.ToString(CultureInfo.InvariantCulture) + " ms";
            if (TakeBack())
                throw new Busy("the window does not answer: its thread was busy for " + time);
            string late = performer.Called + " still runs on the thread of the window after " + time;
            return new Outcome(false, late, null, null);
        }

        Outcome Opened(object window)
        {
            string what = Windows.IsModal(window) ? "opened the dialog" : "opened the window";
            string title = TitleOf(window);
            return Done(title.Length == 0 ? what : what + " \"" + Words.Shorten(title, 200) + "\"");
        }

        // Asked on the thread of the window, which answers even while a modal dialog is open.
        static string TitleOf(object window)
        {
            var known = new object();
            string title = null;
            lock (known)
            {
                Windows.Post(window, () =>
                {
                    string asked = Windows.TitleOf(window);
                    lock (known)
                    {
                        title = asked;
                        Monitor.PulseAll(known);
                    }
                });
                if (title == null) Monitor.Wait(known, TitleMs);
                return title ?? "";
            }
        }

        static Outcome Done(string message)
        {
            return new Outcome(true, message, null, null);
        }

        Outcome Result(object opened)
        {
            if (refused != null) throw refused;
            if (thrown != null) return new Outcome(false, "threw " + thrown.Text, thrown.Json, null);
            return opened == null ? Done("done: " + performer.Called) : Opened(opened);
        }
    }
}
