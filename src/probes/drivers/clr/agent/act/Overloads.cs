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
        readonly ShapePath shape;
        readonly Dictionary<string, object> args;
        int cost = int.MaxValue;
        bool isAmbiguous;

        internal Signature Best { get; private set; }
        internal Plan[] Values { get; private set; }

        internal Overloads(Coerce coerce, ShapePath shape, Dictionary<string, object> args)
        {
            this.coerce = coerce;
            this.shape = shape;
            this.args = args;
        }

        internal void Choose(List<Signature> signatures)
        {
            var given = new List<string>();
            foreach (string name in args.Keys) if (!shape.AsksFor(name)) given.Add(name);
            int candidates = 0;
            BadArgument refusal = null;
            foreach (Signature signature in signatures)
            {
                if (!signature.Takes(given, shape)) continue;
                candidates++;
                try
                {
                    Consider(signature);
                }
                catch (BadArgument unfit)
                {
                    refusal = unfit;
                }
            }
            if (Best != null && !isAmbiguous) return;
            if (candidates == 1 && refusal != null) throw refusal;
            if (Best != null) throw new BadArgument("these values fit several: " + Expected(signatures));
            if (candidates > 0) throw new BadArgument("these values fit none of " + Expected(signatures));
            string names = given.Count == 0 ? "nothing" : TypeWords.Joined(given);
            throw new BadArgument("given " + names + "; expected " + Expected(signatures));
        }

        void Consider(Signature signature)
        {
            ParameterInfo[] infos = signature.Method.GetParameters();
            var plans = new Plan[infos.Length];
            int sum = 0;
            int spoken = 0;
            for (int at = 0; at < infos.Length; at++)
            {
                plans[at] = Coerce.IsSupplied(infos[at].ParameterType)
                    ? Coerce.Supplied(infos[at].ParameterType)
                    : Value(infos[at], shape.NameFor(signature.Parameters[spoken++].Name));
                sum += plans[at].Cost;
            }
            if (sum > cost || sum == cost && IsNarrower(Best.Method, signature.Method)) return;
            isAmbiguous = sum == cost && !IsNarrower(signature.Method, Best.Method);
            Best = signature;
            Values = plans;
            cost = sum;
        }

        Plan Value(ParameterInfo info, string name)
        {
            object value;
            if (args.TryGetValue(name, out value)) return coerce.Plan(value, info.ParameterType, name);
            // What a caller in C# would have left out arrives as an empty array.
            if (ParameterList.IsRest(info))
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

        static string Expected(List<Signature> signatures)
        {
            string text = "";
            foreach (Signature signature in signatures)
            {
                if (text.Length > MaxSpoken) return text + ", …";
                text += (text.Length == 0 ? "" : ", ") + signature.Spoken;
            }
            return text;
        }
    }
}
