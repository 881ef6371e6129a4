using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Health;

namespace Substrate.Code
{
    // Finds the static fields of its type that a static method uses, directly or through other static methods of the
    // type.
    sealed class StaticState
    {
        internal static readonly StaticState None = new StaticState(null);
        readonly Tokens tokens;
        readonly HashSet<MethodBase> visited = new HashSet<MethodBase>();
        // Types of readonly fields: a list or dictionary in them can change.
        internal readonly HashSet<string> Held = new HashSet<string>();

        StaticState(Tokens tokens)
        {
            this.tokens = tokens;
        }

        internal bool UsesAssignable { get; private set; }

        internal static StaticState Of(Tokens tokens, MethodInfo method)
        {
            try
            {
                var state = new StaticState(tokens);
                state.Visit(method);
                return state;
            }
            catch (FormatException discarded)
            {
                Discarded.Count("StaticState.Of", discarded);
                return None;
            }
        }

        void Visit(MethodBase method)
        {
            MethodCode code = visited.Add(method) ? MethodCode.Of(method) : null;
            if (code == null) return;
            byte[] bytes = code.Bytes;
            for (int at = 0; at < bytes.Length; at += Il.Length(bytes, at))
            {
                int operation = Il.Operation(bytes, at);
                bool isField = operation == Op.Ldsfld || operation == Op.Ldsflda || operation == Op.Stsfld;
                if (isField)
                {
                    var field = tokens.Member(method, Il.Token(bytes, at)) as FieldInfo;
                    if (IsOf(field, method) && !IsMade(field)) Note(field, operation == Op.Stsfld);
                }
                else if (operation == Op.Call)
                {
                    var called = tokens.Member(method, Il.Token(bytes, at)) as MethodBase;
                    if (IsOf(called, method) && called.IsStatic) Visit(called);
                }
            }
        }

        void Note(FieldInfo field, bool isStore)
        {
            Type type = field.FieldType;
            bool isPlain = type == field.DeclaringType || type.IsEnum || type.IsPrimitive || type.IsArray
                || typeof(Delegate).IsAssignableFrom(type);
            if (isStore || !field.IsInitOnly && !field.IsLiteral) UsesAssignable = true;
            else if (!field.IsLiteral && !isPlain) Held.Add((type.FullName ?? type.Name).Split('`')[0]);
        }

        static bool IsOf(MemberInfo member, MethodBase method)
        {
            return member != null && member.DeclaringType == method.DeclaringType;
        }

        static bool IsMade(FieldInfo field)
        {
            return field.Name.IndexOf('<') >= 0 && !field.Name.EndsWith("k__BackingField", StringComparison.Ordinal);
        }
    }
}
