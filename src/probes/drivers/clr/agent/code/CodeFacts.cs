using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Meta;

namespace Substrate.Code
{
    // What the instructions of one method do by themselves, and what they call.
    sealed class CodeFacts
    {
        // What it does cannot be told.
        internal static readonly CodeFacts Opaque = new CodeFacts { IsOpaque = true };

        internal bool IsOpaque;
        // A sequence that may do its work when somebody goes through it: that asks a database, or empties a queue.
        internal bool ReadsSequence;
        internal readonly HashSet<Write> Writes = new HashSet<Write>();
        // Fields of `this` whose values it uses, but not only to see whether they are what the caller gave.
        internal readonly HashSet<string> Reads = new HashSet<string>();
        internal readonly List<Call> Calls = new List<Call>();
        // Types whose static fields it touches: the first touch of a type runs its initialiser.
        internal readonly HashSet<Type> StaticsOf = new HashSet<Type>();
        // Types outside the framework of what it handles, as far as the instructions name them.
        internal readonly HashSet<Type> Handled = new HashSet<Type>();

        // To what kind of place, whose, with what.
        internal struct Write
        {
            internal string Kind;
            internal long Holder;
            internal long Value;
            internal string Field;
        }

        internal void Add(string kind, long holder, long value, string field)
        {
            Writes.Add(new Write { Kind = kind, Holder = holder, Value = value, Field = field });
        }

        internal void Handle(Type type)
        {
            AddForeign(Handled, type, 0);
        }

        // The type, and those that stand in its angle brackets, as far as they are not the framework's.
        internal static void AddForeign(HashSet<Type> types, Type type, int depth)
        {
            if (type == null || depth > 4) return;
            if (type.HasElementType)
            {
                AddForeign(types, type.GetElementType(), depth + 1);
                return;
            }
            if (type.IsGenericType)
                foreach (Type argument in type.GetGenericArguments()) AddForeign(types, argument, depth + 1);
            if (!type.IsGenericParameter && !type.IsEnum && !type.IsPrimitive && !Frameworks.Is(type)) types.Add(type);
        }
    }

    // A call that a method makes.
    sealed class Call
    {
        internal readonly MethodBase Method;
        // The method of just this type is meant: constructors, `base.X()`, static ones.
        internal readonly bool IsExact;
        // See ValueOrigin; Other for a static call.
        internal readonly long Receiver;
        // Of each argument.
        internal readonly long[] Arguments;
        // The type whose method is meant where generic code calls; null: that of the method.
        internal readonly Type Constrained;
        // By which values name its result; negative: by none.
        internal readonly int Result;

        internal Call(MethodBase method, bool isExact, long receiver, long[] arguments, Type constrained, int result)
        {
            Method = method;
            IsExact = isExact;
            Receiver = receiver;
            Arguments = arguments;
            Constrained = constrained;
            Result = result;
        }

        // What is called with arguments of which nothing is known: functions, and what the framework calls at once on
        // behalf of others, such as the work of an async method.
        internal static Call Body(MethodBase method, bool isExact, long receiver)
        {
            var arguments = new long[method.GetParameters().Length];
            for (int at = 0; at < arguments.Length; at++) arguments[at] = ValueOrigin.Other;
            return new Call(method, isExact, receiver, arguments, null, -1);
        }

        // What it does is known by its name, in src/probes/drivers/clr/clr-platform.ts.
        internal bool IsOfPlatform
        {
            get
            {
                return Frameworks.Is(Method.DeclaringType) || typeof(Delegate).IsAssignableFrom(Method.DeclaringType);
            }
        }
    }
}
