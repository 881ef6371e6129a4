using System;
using System.Threading;

namespace Substrate.Act
{
    // A value that was found to fit. Nothing of the app has run for it yet: making it may call constructors.
    sealed class Plan
    {
        // How far the JSON is from the type: among overloads the lowest sum wins.
        internal readonly int Cost;
        // There is nothing left to make.
        internal readonly bool IsReady;
        readonly Func<CancellationToken, object> make;

        Plan(int cost, bool isReady, Func<CancellationToken, object> make)
        {
            Cost = cost;
            IsReady = isReady;
            this.make = make;
        }

        internal static Plan Ready(object value, int cost)
        {
            return new Plan(cost, true, stop => value);
        }

        // `make` gets what is cancelled when the time is over.
        internal static Plan Later(int cost, Func<CancellationToken, object> make)
        {
            return new Plan(cost, false, make);
        }

        internal object Make(CancellationToken stop)
        {
            return make(stop);
        }

        internal static object[] MakeAll(Plan[] plans, CancellationToken stop)
        {
            var values = new object[plans.Length];
            for (int at = 0; at < plans.Length; at++) values[at] = plans[at].Make(stop);
            return values;
        }

        internal static bool AreReady(Plan[] plans)
        {
            foreach (Plan plan in plans) if (!plan.IsReady) return false;
            return true;
        }

        internal static int CostOf(Plan[] plans)
        {
            int cost = 1;
            foreach (Plan plan in plans) cost = Math.Max(cost, plan.Cost + 1);
            return cost;
        }

        // Makes what is made of the framework's types only: what that refuses is known before the app is touched.
        internal Plan Settled(string where)
        {
            try
            {
                return Ready(make(CancellationToken.None), Cost);
            }
            catch (Exception refused)
            {
                throw new BadArgument(where + " cannot hold these values: "
                    + Thrown.Unwrapped(refused).GetType().FullName);
            }
        }
    }
}
