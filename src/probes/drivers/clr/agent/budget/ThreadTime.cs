using System.Diagnostics;
using System.Runtime.InteropServices;
using Substrate.Health;

namespace Substrate.Budget
{
    // Processor time of this thread, in ms: that of other threads does not count.
    static class ThreadTime
    {
        const int OfThisThread = 3;
        static readonly Stopwatch watch = Stopwatch.StartNew();
        static readonly bool isMeasured = IsTime(Ask());

        [StructLayout(LayoutKind.Sequential)]
        struct Moment
        {
            internal long Seconds;
            internal long Nanoseconds;
        }

        internal static double Now
        {
            get { return isMeasured ? Ask() : Wall; }
        }

        internal static double Wall
        {
            get { return watch.Elapsed.TotalMilliseconds; }
        }

        internal static bool IsTime(double ms)
        {
            if (ms >= 0) return true;
            Parts.Miss("cpu_time", "the time of threads is not measured here: the budget goes by the clock");
            return false;
        }

        static double Ask()
        {
            Moment now;
            return clock_gettime(OfThisThread, out now) == 0 ? now.Seconds * 1e3 + now.Nanoseconds / 1e6 : -1;
        }

        [DllImport("libc")]
        static extern int clock_gettime(int clock, out Moment now);
    }
}
