using System;
using System.Collections.Generic;
using Substrate.Meta;

namespace Substrate.Act
{
    // What the instructions of one method do by themselves, and what they call.
    sealed class MethodFacts
    {
        // What it does cannot be told.
        internal static readonly MethodFacts Opaque = new MethodFacts { Level = Effects.Unknown };

        // See Effects.
        internal int Level = Effects.None;
        // The field of `this` that it writes with what the caller gave; null: none.
        internal string FieldFromArgument;
        // It also writes to `this` what the caller did not give, or to a second field.
        internal bool WritesElse;
        // Fields of `this` whose values it uses, but not only to see whether they are what the caller gave.
        internal readonly HashSet<string> FieldsRead = new HashSet<string>();
        internal readonly List<Call> Calls = new List<Call>();
        // Types whose static fields it touches: the first touch of a type runs its initialiser.
        internal readonly HashSet<Type> StaticsOf = new HashSet<Type>();
        // Types outside the framework of what it handles, as far as the instructions name them.
        internal readonly HashSet<Type> Handled = new HashSet<Type>();

        internal void WriteFromArgument(string field)
        {
            if (FieldFromArgument != null && FieldFromArgument != field) WritesElse = true;
            FieldFromArgument = field;
        }

        internal void Raise(int atLeast)
        {
            Level = Math.Max(Level, atLeast);
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
}
