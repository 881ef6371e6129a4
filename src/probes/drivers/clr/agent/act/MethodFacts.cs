using System;
using System.Collections.Generic;
using Substrate.Meta;

namespace Substrate.Act
{
    /// <summary>What the instructions of one method do by themselves, and what they call.</summary>
    sealed class MethodFacts
    {
        /// <summary>What it does cannot be told.</summary>
        internal static readonly MethodFacts Opaque = new MethodFacts { Level = Effects.Unknown };

        /// <summary>See Effects.</summary>
        internal int Level = Effects.None;
        /// <summary>The field of `this` that it writes with what the caller gave; null: none.</summary>
        internal string FieldFromArgument;
        /// <summary>It also writes to `this` what the caller did not give, or to a second field.</summary>
        internal bool WritesElse;
        /// <summary>
        /// Fields of `this` whose values it uses, but not only to see whether they are what the caller gave.
        /// </summary>
        internal readonly HashSet<string> FieldsRead = new HashSet<string>();
        internal readonly List<Call> Calls = new List<Call>();
        /// <summary>Types whose static fields it touches: the first touch of a type runs its initialiser.</summary>
        internal readonly HashSet<Type> StaticsOf = new HashSet<Type>();
        /// <summary>Types outside the framework of what it handles, as far as the instructions name them.</summary>
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

        /// <summary>
        /// The type, and those that stand in its angle brackets, as far as they are not the framework's.
        /// </summary>
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
