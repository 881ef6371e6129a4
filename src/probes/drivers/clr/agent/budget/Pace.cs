using System;
using System.Threading;

namespace Substrate.Budget
{
    // The cost that the agent may cause in the program. The first search works in slices with pauses between them, and
    // ends when its time is spent; later captures read what is known, and a little more. Long work calls `Go` in
    // between. Used by one thread at a time.
    sealed class Pace
    {
        const double SliceMs = 4;
        const int LongestSleepMs = 20;
        // The fraction of the search's time that a later capture may take for unknown objects.
        const double PartOfSearch = 0.04;
        const double LeastLaterMs = 2;
        // The fraction of that for further roots, and for actions.
        const double PartOfLater = 0.4;
        readonly double searchMs;
        readonly double share;
        // Processor time in ms: at most one second's share.
        double credit;
        double earnedAt;
        double paidAt;
        double searchLeft;
        bool isSearching = true;
        bool isQuiet;
        double began;
        double end = double.MaxValue;
        // The time that other threads took for this capture.
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

        // A pace without waits and limits.
        internal static Pace Free()
        {
            return new Pace(1e9, 100) { isSearching = false };
        }

        // True if the time was too short for all work since `Begin`.
        internal bool WasStopped { get; private set; }

        // True if nothing more may be done for now.
        internal bool IsOver { get; private set; }

        internal void Begin()
        {
            WasStopped = false;
            IsOver = false;
            began = paidAt = ThreadTime.Now;
            end = double.MaxValue;
        }

        // Another kind of work begins, at whose end `part` of the search's time may be spent. `quiet`: it comes in
        // pieces anyway, and an unfinished rest is not reported.
        internal void Next(double part, bool quiet = false)
        {
            IsOver = false;
            isQuiet = quiet;
            if (isSearching) end = began - others + searchLeft - (1 - part) * searchMs;
            else end = ThreadTime.Now + LaterMs * PartOfLater;
        }

        // The following work may take this fraction of the search's time, and no more.
        internal void AtMost(double part)
        {
            end = Math.Min(end, ThreadTime.Now + part * searchMs);
        }

        // The remaining time for this kind of work, in ms.
        internal double Left
        {
            get { return Math.Max(0, end - ThreadTime.Now); }
        }

        // The time of this thread since `Begin`, in ms.
        internal double Spent
        {
            get { return ThreadTime.Now - began; }
        }

        // Adds work on another thread to the current capture, or to the next one.
        internal void Add(double ms)
        {
            others += ms;
        }

        // Returns the cost in ms.
        internal double End()
        {
            double spent = Spent + others;
            others = 0;
            searchLeft = Math.Max(0, searchLeft - spent);
            isSearching = false;
            return spent;
        }

        // There are new objects to search for, with the rest of the time.
        internal void SearchAgain()
        {
            isSearching = searchLeft > 0;
        }

        // Nobody waits for the work any more.
        internal void Cancel()
        {
            isCancelled = true;
        }

        // False if work that is not begun has to wait for the next capture. May pause.
        internal bool Go()
        {
            if (IsOver) return false;
            double now = ThreadTime.Now;
            if (isCancelled || now >= end) return Stop();
            if (isSearching) Rest(now);
            return true;
        }

        // Like Go, for known objects: these are read in any case.
        internal void GoAnyway()
        {
            if (isSearching && !isCancelled) Rest(ThreadTime.Now);
        }

        // The rest is new: a later capture has a few ms for it.
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
