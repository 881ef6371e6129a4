using System;
using System.Collections;
using System.Reflection;
using Substrate.Health;

namespace Substrate.Roots
{
    // The objects that timers hold, and all that waits for one.
    static class Timers
    {
        const string Origin = "timer";
        const string Problem = "this runtime keeps its timers in an unknown way: objects that only timers hold are not found";
        const int MaxTimers = 5000;

        internal static void StartAll(OwnMemory memory, HeldObjects held)
        {
            Assembly core = typeof(object).Assembly;
            if (Initialisers.IsMono) OfScheduler(memory, held, core.GetType("System.Threading.Timer+Scheduler", false));
            else OfQueues(memory, held, core.GetType("System.Threading.TimerQueue", false));
        }

        internal static void OfQueues(OwnMemory memory, HeldObjects held, Type type)
        {
            string[] names = { "<Instances>k__BackingField", "s_queues", "s_queue" };
            if (!FieldAccess.HasStatic(type, names)) Parts.Miss("timers", Problem);
            object queues = FieldAccess.GetStatic(memory, type, names);
            var several = queues as Array;
            if (several != null)
                foreach (object queue in several) OfQueue(queue, held);
            else OfQueue(queues, held);
        }

        static void OfQueue(object queue, HeldObjects held)
        {
            OfList(FieldAccess.Get(queue, "_shortTimers", "m_timers"), held);
            OfList(FieldAccess.Get(queue, "_longTimers"), held);
        }

        static void OfList(object timer, HeldObjects held)
        {
            for (int left = MaxTimers; timer != null && left > 0; left--)
            {
                held.Start(FieldAccess.Get(timer, "_timerCallback", "m_timerCallback"), Origin);
                held.Start(FieldAccess.Get(timer, "_state", "m_state"), Origin);
                timer = FieldAccess.Get(timer, "_next", "m_next");
            }
        }

        // The scheduler is Mono's.
        internal static void OfScheduler(OwnMemory memory, HeldObjects held, Type type)
        {
            if (!FieldAccess.HasStatic(type, "instance")) Parts.Miss("timers", Problem);
            object list = FieldAccess.Get(FieldAccess.GetStatic(memory, type, "instance"), "list");
            var sorted = list as SortedList;
            foreach (object timer in sorted == null ? Entries.ValuesOf(list).ToArray() : Values(sorted))
            {
                held.Start(FieldAccess.Get(timer, "callback"), Origin);
                held.Start(FieldAccess.Get(timer, "state"), Origin);
            }
        }

        static object[] Values(SortedList sorted)
        {
            return FieldAccess.Get(sorted, "values", "_values") as object[] ?? new object[0];
        }
    }
}
