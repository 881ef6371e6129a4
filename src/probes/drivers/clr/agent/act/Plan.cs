using System;
using System.Threading;

namespace Substrate.Act
{
    // A value that passed the checks. No code of the app has run for it yet: making it may call constructors.
    sealed class Plan
    {
        // True if nothing is left to make.
        internal readonly bool IsReady;
        readonly Func<CancellationToken, object> make;

        Plan(bool isReady, Func<CancellationToken, object> make)
        {
            IsReady = isReady;
            this.make = make;
        }

        internal static Plan Ready(object value)
        {
            return new Plan(true, stop => value);
        }

        // `make` gets a token that is cancelled when the time is over.
        internal static Plan Later(Func<CancellationToken, object> make)
        {
            return new Plan(false, make);
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

        // A value of framework types only is made at once: then a refusal is known before the app is touched.
        internal Plan Settled(string otherwise)
        {
            try
            {
                return Ready(make(CancellationToken.None));
            }
            catch (Exception)
            {
                throw new BadArgument(otherwise);
            }
        }
    }
}
