using System;
using System.Threading;

namespace Substrate.Budget
{
    // What the agent may cost the program. The first search works in slices with pauses between them, and ends when its
    // time is spent; later captures read what is known, and a little more. Whoever works asks `Go` in between. Used by
    // one thread at a time.
    sealed class Pace
    {
        const double SliceMs = 4;
        const int LongestSleepMs = 20;
        // Of the time of the search: what a later capture may take for what is not known yet.
        const double PartOfSearch = 0.04;
        const double LeastLaterMs = 2;
        // Of that: for looking for more places, and for finding out about actions.
        const double PartOfLater = 0.4;
        readonly double searchMs;
        readonly double share;
        // Of processor time, in ms: one second's share at most.
        double credit;
        double earnedAt;
        double paidAt;
        double searchLeft;
        bool isSearching = true;
        bool isQuiet;
        double began;
        double end = double.MaxValue;
        // What others did for this capture.
        double others;
        volatile bool isCancelled;

        internal Pace(double searchMs, double percent)
        {
            this.searchMs = searchMs;
            share = Math.Max(1, Math.Min(100, percent)) / 100;
            searchLeft = searchMs;
            credit = 1000 * share;
            earnedAt = ThreadTime.Wall;
        }

        // Nothing waits, nothing is cut short.
        internal static Pace Free()
        {
            return new Pace(1e9, 100) { isSearching = false };
        }

        // Not all was done since `Begin`, for want of time.
        internal bool WasStopped { get; private set; }

        // Nothing more may be done for now.
        internal bool IsOver { get; private set; }

        internal void Begin()
        {
            WasStopped = false;
            IsOver = false;
            began = paidAt = ThreadTime.Now;
            end = double.MaxValue;
        }

        // Another kind of work begins, at whose end `part` of the time of the search may be spent. `quiet`: it comes in
        // pieces anyway, and what waits is not told.
        internal void Next(double part, bool quiet = false)
        {
            IsOver = false;
            isQuiet = quiet;
            if (isSearching) end = began - others + searchLeft - (1 - part) * searchMs;
            else end = ThreadTime.Now + LaterMs * PartOfLater;
        }

        // What follows may take this part of the time of the search, and no more.
        internal void AtMost(double part)
        {
            end = Math.Min(end, ThreadTime.Now + part * searchMs);
        }

        // Of the time for this kind of work, in ms.
        internal double Left
        {
            get { return Math.Max(0, end - ThreadTime.Now); }
        }

        // Since `Begin`, by this thread, in ms.
        internal double Spent
        {
            get { return ThreadTime.Now - began; }
        }

        // Work on another thread: a part of the capture that is under way, or of the next one.
        internal void Add(double ms)
        {
            others += ms;
        }

        // Gives the cost in ms.
        internal double End()
        {
            double spent = Spent + others;
            others = 0;
            searchLeft = Math.Max(0, searchLeft - spent);
            isSearching = false;
            return spent;
        }

        // There is something new to look for, with what is left of the time.
        internal void SearchAgain()
        {
            isSearching = searchLeft > 0;
        }

        // Nobody waits for it any more.
        internal void Cancel()
        {
            isCancelled = true;
        }

        // False: what is not begun has to wait for the next capture. May pause.
        internal bool Go()
        {
            if (IsOver) return false;
            double now = ThreadTime.Now;
            if (isCancelled || now >= end) return Stop();
            if (isSearching) Rest(now);
            return true;
        }

        // As Go, of what is known already: that is done in any case.
        internal void GoAnyway()
        {
            if (isSearching && !isCancelled) Rest(ThreadTime.Now);
        }

        // From here on it is more than was known: a later capture has a few ms for it.
        internal void BeginNew()
        {
            if (!isSearching) end = ThreadTime.Now + LaterMs;
        }

        double LaterMs
        {
            get { return Math.Max(LeastLaterMs, searchMs * PartOfSearch); }
        }

        bool Stop()
        {
            IsOver = true;
            WasStopped |= !isQuiet;
            return false;
        }

        void Rest(double now)
        {
            if (now - paidAt < Math.Min(SliceMs, credit)) return;
            credit -= now - paidAt;
            paidAt = now;
            Earn();
            if (credit > 0) return;
            double enough = ThreadTime.Wall + (SliceMs - credit) / share;
            for (double left = enough - ThreadTime.Wall; left > 0 && !isCancelled; left = enough - ThreadTime.Wall)
                Thread.Sleep((int)Math.Ceiling(Math.Min(LongestSleepMs, left)));
            Earn();
        }

        void Earn()
        {
            double now = ThreadTime.Wall;
            credit = Math.Min(1000 * share, credit + (now - earnedAt) * share);
            earnedAt = now;
        }
    }
}
