using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using Substrate.Code;
using Substrate.Health;
using Substrate.State;

namespace Substrate.Act
{
    // One call of a method of the app, and its result.
    sealed class Invocation
    {
        const int MaxLeaves = 1000;
        const int MaxChars = 100000;
        const int MaxSpoken = 200;
        // A cancelled method gets this long to return.
        const int GraceMs = 200;
        // The wait for a pending result ends this long before the call itself would be given up.
        const int MarginMs = 30;

        readonly IShown shown;
        readonly MethodInfo method;
        // The name of the action: `setTitle` for a property.
        readonly string name;
        // `AddItem(string sku, int quantity) -> int`.
        readonly string spoken;
        // Null for a static method.
        readonly object target;
        readonly Plan[] values;
        readonly Limit limit;
        readonly Deadline deadline;
        readonly CancellationTokenSource stop = new CancellationTokenSource();
        // True when the arguments are made.
        volatile bool isEntered;
        // True when the method itself returned, and its pending result is awaited.
        volatile bool isAwaiting;
        volatile bool isPending;
        volatile bool isPosted;
        volatile bool isOwnThreadBusy;
        // Set if the thread of the object does not accept the call.
        volatile NotDispatched refusal;
        volatile string thread = TimedCall.ThreadName;

        internal Invocation(IShown shown, MethodInfo method, string spoken, Plan[] values, object target, Limit limit)
        {
            this.shown = shown;
            this.method = method;
            name = method.IsSpecialName ? "set" + method.Name.Substring(TypeMethods.SetPrefix.Length) : method.Name;
            this.spoken = spoken;
            this.target = target;
            this.values = values;
            this.limit = limit;
            deadline = new Deadline(limit.Ms);
        }

        internal Outcome Run()
        {
            var finished = new ManualResetEvent(false);
            TimedResult result = TimedCall.Run(() =>
            {
                try
                {
                    return Settled(CallWhereItBelongs());
                }
                catch (NotDispatched refused)
                {
                    refusal = refused;
                    return null;
                }
                finally
                {
                    finished.Set();
                }
            }, limit.Ms);
            // Whether the other thread has begun is known only when this one has given up waiting.
            if (!result.IsFinished && isPosted) finished.WaitOne(GraceMs);
            if (refusal != null) throw refusal;
            if (isOwnThreadBusy) throw new Busy("the thread of its window has been busy for " + Time);
            Dictionary<string, object> context = Context();
            if (!result.IsFinished || isPending) return Late(finished, context);
            if (result.Thrown == null) return Returned(result.Value, context);
            string what = isEntered ? name + " threw " : "making the arguments threw ";
            return new Outcome(false, what + result.Thrown.Text, result.Thrown.Json, context);
        }

        object CallWhereItBelongs()
        {
            Action<Action> post = OwnThread.Of(target);
            if (post == null) return Call();
            isPosted = true;
            Exception failure = null;
            TimedResult result = TimedCall.Run(() =>
            {
                try
                {
                    return Call();
                }
                catch (Exception exception)
                {
                    failure = exception;
                    throw;
                }
            }, Math.Max(1, deadline.Left - MarginMs), post);
            isOwnThreadBusy = !result.IsBegun;
            if (failure != null) throw new TargetInvocationException(failure);
            isPending |= !result.IsFinished;
            return result.Value;
        }

        // Runs on the thread of the call: constructors of arguments are the app's code as well.
        object Call()
        {
            thread = Thread.CurrentThread.Name ?? "thread " + Thread.CurrentThread.ManagedThreadId;
            object[] arguments = Plan.MakeAll(values, stop.Token);
            isEntered = true;
            return method.Invoke(target, arguments);
        }

        object Settled(object value)
        {
            if (isPending || isOwnThreadBusy) return null;
            isAwaiting = true;
            // A cancelled call gets a little longer.
            int left = deadline.Left + (IsCancelled ? GraceMs + MarginMs : -MarginMs);
            Awaiting awaited = Awaiting.Settle(value, Math.Max(1, left));
            if (awaited == null) return value;
            isPending = !awaited.IsDone;
            return awaited.Value;
        }

        Outcome Returned(object value, Dictionary<string, object> context)
        {
            Type result = method.ReturnType;
            if ((Awaiting.Brings(result) ?? result) == typeof(void))
                return new Outcome(true, name + " ran", null, context);
            try
            {
                object json = Bounded(shown.Flatten(value, MaxLeaves));
                return new Outcome(true, name + " returned " + Spoken(value, json), json, context);
            }
            catch (Exception discarded)
            {
                // The call was made, which must be reported.
                Discarded.Count("Invocation.Returned", discarded);
                string what = value == null ? "null" : TypeWords.A(TypeWords.SpokenName(value));
                return new Outcome(true, name + " returned " + what + " that cannot be shown", null, context);
            }
        }

        // Each text is cut by itself; a thousand of them may still be too much to read.
        static object Bounded(object json)
        {
            var leaves = json as Dictionary<string, object>;
            if (leaves == null) return json;
            var kept = new Dictionary<string, object>();
            int chars = 0;
            foreach (KeyValuePair<string, object> leaf in leaves)
            {
                var text = leaf.Value as string;
                chars += leaf.Key.Length + (text == null ? 8 : text.Length);
                if (chars > MaxChars) break;
                kept[leaf.Key] = leaf.Value;
            }
            return kept;
        }

        static string Spoken(object value, object json)
        {
            if (json is Dictionary<string, object>)
                return value == null ? "null" : TypeWords.A(TypeWords.SpokenName(value));
            return TypeWords.Cut(json as string ?? TypeWords.Text(json), MaxSpoken);
        }

        // A method with a token is cancelled if the caller wants that; no other method is touched.
        Outcome Late(ManualResetEvent finished, Dictionary<string, object> context)
        {
            if (IsCancelled) Cancel();
            // The wait for its pending result may have ended without one.
            if (IsCancelled && finished.WaitOne(GraceMs) && !isPending)
            {
                string stopped = name + " had not come back after " + Time + "; it was cancelled and stopped";
                return new Outcome(false, stopped, null, context);
            }
            string where = isAwaiting ? "" : " in thread " + thread;
            string note = IsCancelled ? "; it was cancelled and did not stop" : "";
            return new Outcome(false, name + " is still running after " + Time + where + note, null, context);
        }

        bool IsCancelled
        {
            get
            {
                if (!limit.Cancels) return false;
                foreach (ParameterInfo parameter in method.GetParameters())
                    if (parameter.ParameterType == typeof(CancellationToken)) return true;
                return false;
            }
        }

        // Callbacks of the token are code of the app: they run on another thread, and may throw.
        void Cancel()
        {
            ThreadPool.UnsafeQueueUserWorkItem(ignored =>
            {
                try
                {
                    stop.Cancel();
                }
                catch (Exception discarded)
                {
                    // A callback of the app failed.
                    Discarded.Count("Invocation.Cancel", discarded);
                }
            }, null);
        }

        string Time
        {
            get { return limit.Ms % 1000 == 0 ? limit.Ms / 1000 + " s" : limit.Ms + " ms"; }
        }

        Dictionary<string, object> Context()
        {
            string instance = target == null ? null
                : TypeWords.Name(target.GetType()) + "@" + RuntimeHelpers.GetHashCode(target).ToString("x");
            return new Dictionary<string, object>
            {
                { "class", method.DeclaringType == null ? null : method.DeclaringType.FullName },
                { "method", method.Name },
                { "signature", spoken },
                { "instance", instance },
                { "thread", thread },
            };
        }
    }

    // The time after which nothing more is begun.
    sealed class Deadline
    {
        readonly int begin = Environment.TickCount;
        readonly int ms;

        internal Deadline(int ms)
        {
            this.ms = ms;
        }

        internal bool IsOver
        {
            get { return Left <= 0; }
        }

        internal int Left
        {
            get { return ms - unchecked(Environment.TickCount - begin); }
        }
    }

    // Objects that belong to a thread, as controls do, and accept calls of others only there.
    static class OwnThread
    {
        const string Name = "System.ComponentModel.ISynchronizeInvoke";

        // Returns how work is posted to the thread of the object; null if it may be called from anywhere.
        internal static Action<Action> Of(object target)
        {
            Type way = null;
            if (target != null)
                foreach (Type each in target.GetType().GetInterfaces()) if (each.FullName == Name) way = each;
            if (way == null || !true.Equals(way.GetProperty("InvokeRequired").GetValue(target, null))) return null;
            MethodInfo begin = way.GetMethod("BeginInvoke");
            return work => begin.Invoke(target, new object[] { work, null });
        }
    }
}
