using System;
using System.Collections.Generic;
using System.Reflection;

namespace Substrate.Act
{
    // Chooses among methods of one name by what was given: first by the names of the arguments, then by their values.
    sealed class Overloads
    {
        const int MaxSpoken = 1500;
        readonly Coerce coerce;
        readonly Dictionary<string, object> args;
        readonly List<CallableMethod> callables = new List<CallableMethod>();
        // What the arguments of each are called, without those that the agent supplies.
        readonly List<List<object>> names = new List<List<object>>();
        int best = -1;
        int cost = int.MaxValue;
        bool isAmbiguous;

        internal Plan[] Values { get; private set; }

        internal Overloads(Coerce coerce, Dictionary<string, object> args)
        {
            this.coerce = coerce;
            this.args = args;
        }

        internal bool IsEmpty
        {
            get { return callables.Count == 0; }
        }

        internal CallableMethod Best
        {
            get { return callables[best]; }
        }

        // `AddItem(string sku, int quantity) -> int`.
        internal string Spoken
        {
            get { return SpokenAt(best); }
        }

        internal void Add(CallableMethod callable, List<object> called)
        {
            int count = 0;
            foreach (ParameterInfo info in callable.Method.GetParameters())
                if (!Coerce.IsSupplied(info.ParameterType)) count++;
            if (called.Count != count) return;
            callables.Add(callable);
            names.Add(called);
        }

        internal void Choose()
        {
            int candidates = 0;
            BadArgument refusal = null;
            for (int at = 0; at < callables.Count; at++)
            {
                if (!Takes(at)) continue;
                candidates++;
                try
                {
                    Consider(at);
                }
                catch (BadArgument unfit)
                {
                    refusal = unfit;
                }
            }
            if (best >= 0 && !isAmbiguous) return;
            if (candidates == 1 && refusal != null) throw refusal;
            if (best >= 0) throw new BadArgument("these values fit several: " + Expected());
            if (candidates > 0) throw new BadArgument("these values fit none of " + Expected());
            string given = args.Count == 0 ? "nothing" : TypeWords.Joined(args.Keys);
            throw new BadArgument("given " + given + "; expected " + Expected());
        }

        // Whether these and no others could be its arguments.
        bool Takes(int candidate)
        {
            int given = 0;
            int spoken = 0;
            foreach (ParameterInfo info in callables[candidate].Method.GetParameters())
            {
                if (Coerce.IsSupplied(info.ParameterType)) continue;
                if (args.ContainsKey((string)names[candidate][spoken++])) given++;
                else if (!TypeMethods.MayBeLeftOut(info)) return false;
            }
            return given == args.Count;
        }

        void Consider(int candidate)
        {
            MethodInfo method = callables[candidate].Method;
            ParameterInfo[] infos = method.GetParameters();
            var plans = new Plan[infos.Length];
            int sum = 0;
            int spoken = 0;
            for (int at = 0; at < infos.Length; at++)
            {
                plans[at] = Coerce.IsSupplied(infos[at].ParameterType)
                    ? Coerce.Supplied(infos[at].ParameterType)
                    : Value(infos[at], (string)names[candidate][spoken++]);
                sum += plans[at].Cost;
            }
            if (sum > cost || sum == cost && IsNarrower(Best.Method, method)) return;
            isAmbiguous = sum == cost && !IsNarrower(method, Best.Method);
            best = candidate;
            Values = plans;
            cost = sum;
        }

        Plan Value(ParameterInfo info, string name)
        {
            object value;
            if (args.TryGetValue(name, out value)) return coerce.Plan(value, info.ParameterType, name);
            // What a caller in C# would have left out arrives as an empty array.
            if (TypeMethods.IsRest(info))
                return Plan.Ready(Array.CreateInstance(info.ParameterType.GetElementType(), 0), 1);
            return Coerce.Default(info);
        }

        // Every parameter of the one would do for the other: what a compiler would choose.
        static bool IsNarrower(MethodInfo one, MethodInfo other)
        {
            ParameterInfo[] own = one.GetParameters();
            ParameterInfo[] others = other.GetParameters();
            if (own.Length != others.Length) return own.Length < others.Length;
            for (int at = 0; at < own.Length; at++)
                if (!others[at].ParameterType.IsAssignableFrom(own[at].ParameterType)) return false;
            return true;
        }

        string Expected()
        {
            string text = "";
            for (int at = 0; at < callables.Count; at++)
            {
                if (text.Length > MaxSpoken) return text + ", …";
                text += (text.Length == 0 ? "" : ", ") + SpokenAt(at);
            }
            return text;
        }

        string SpokenAt(int candidate)
        {
            MethodInfo method = callables[candidate].Method;
            var parts = new List<string>();
            foreach (ParameterInfo info in method.GetParameters())
                if (!Coerce.IsSupplied(info.ParameterType))
                    parts.Add(TypeWords.Name(info.ParameterType) + " " + names[candidate][parts.Count]);
            string result = TypeWords.Name(method.ReturnType);
            return callables[candidate].Name + "(" + string.Join(", ", parts.ToArray()) + ") -> " + result;
        }
    }
}
