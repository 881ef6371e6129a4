using System;
using System.Collections.Generic;
using System.Diagnostics;
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
        const int GivenUp = 2;
        const int PollMs = 10;
        // A busy window answers late; a dialog may get its title after it is shown, or never.
        const int AnswerMs = 2000;
        const int TitleMs = 500;
        const int TitlePauseMs = 20;
        readonly Performer performer;
        readonly ManualResetEventSlim done = new ManualResetEventSlim();
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
            if (!Windows.Post(window, Run)) throw performer.Gone("is not there any more");
            while (!done.Wait(PollMs))
            {
                bool isRunning = Volatile.Read(ref state) == Running;
                // A handler that shows a modal dialog returns when the dialog is closed.
                object dialog = isRunning ? NewWindow(before, true) : null;
                if (dialog != null) return Opened(dialog);
                if (!isRunning && !Windows.IsShowing(window) && TakeBack())
                    throw performer.Gone("is not there any more");
                if (DateTime.UtcNow >= deadline) return Late(timeoutMs);
            }
            return Result(NewWindow(before, false));
        }

        // Exceptions of the app's handlers end here: an error dialog would block the app.
        void Run()
        {
            if (Interlocked.CompareExchange(ref state, Running, Waiting) != Waiting) return;
            try
            {
                performer.Perform();
            }
            catch (Exception exception)
            {
                if (exception is BadArgument || exception is NotDispatched) refused = exception;
                else thrown = new Thrown(exception);
            }
            done.Set();
        }

        bool TakeBack() => Interlocked.CompareExchange(ref state, GivenUp, Waiting) == Waiting;

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

        Outcome Late(int timeoutMs)
        {
            string time = timeoutMs.ToString(CultureInfo.InvariantCulture) + " ms";
            if (TakeBack()) throw new Busy("the window does not answer: its thread was busy for " + time);
            string late = performer.Called + " still runs on the thread of the window after " + time;
            return new Outcome(false, late, null, null);
        }

        Outcome Opened(object window)
        {
            string what = Windows.IsModal(window) ? "opened the dialog" : "opened the window";
            string title = TitleOf(window);
            return Done(title.Length == 0 ? what : what + " \"" + Words.Shorten(title, 200) + "\"");
        }

        static string TitleOf(object window)
        {
            var clock = Stopwatch.StartNew();
            for (;;)
            {
                string title = AskTitle(window);
                if (title == null) return "";
                if (title.Length > 0 || clock.ElapsedMilliseconds >= TitleMs) return title;
                Thread.Sleep(TitlePauseMs);
            }
        }

        // Runs on the thread of the window, which answers even while a modal dialog is open. Null if not in time.
        static string AskTitle(object window)
        {
            string title = null;
            var known = new ManualResetEventSlim();
            Windows.Post(window, () =>
            {
                title = Windows.TitleOf(window) ?? "";
                known.Set();
            });
            known.Wait(AnswerMs);
            return title;
        }

        static Outcome Done(string message) => new Outcome(true, message, null, null);

        Outcome Result(object opened)
        {
            if (refused != null) throw refused;
            if (thrown != null) return new Outcome(false, "threw " + thrown.Text, thrown.Json, null);
            return opened == null ? Done("done: " + performer.Called) : Opened(opened);
        }
    }
}
