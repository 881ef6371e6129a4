using System;
using System.Threading;

namespace Substrate.Act
{
    // A value that was found to fit. Nothing of the app has run for it yet: making it may call constructors.
    sealed class Plan
    {
        // There is nothing left to make.
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

        // `make` gets what is cancelled when the time is over.
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

        // Makes what is made of the framework's types only: what that refuses is known before the app is touched.
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
