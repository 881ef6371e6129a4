using System;
using System.Collections.Generic;
using System.Reflection;

namespace Substrate.Act
{
    // Which static methods have to do with the static fields of their type: all others are tools, no part of a state.
    sealed class StaticState
    {
        readonly Tokens tokens;
        // What readonly fields hold counts too: lists and dictionaries change.
        readonly bool withReadonly;
        readonly HashSet<MethodBase> visited = new HashSet<MethodBase>();

        StaticState(Tokens tokens, bool withReadonly)
        {
            this.tokens = tokens;
            this.withReadonly = withReadonly;
        }

        // By itself, or by other static methods of its type.
        internal static bool IsTouchedBy(Tokens tokens, MethodInfo method, bool withReadonly)
        {
            try
            {
                return new StaticState(tokens, withReadonly).IsTouched(method);
            }
            catch (FormatException)
            {
                return false;
            }
        }

        bool IsTouched(MethodBase method)
        {
            MethodCode code = visited.Add(method) ? MethodCode.Of(method) : null;
            if (code == null) return false;
            byte[] bytes = code.Bytes;
            for (int at = 0; at < bytes.Length; at += Il.Length(bytes, at))
            {
                int operation = Il.Operation(bytes, at);
                bool isField = operation == Op.Ldsfld || operation == Op.Ldsflda || operation == Op.Stsfld;
                if (!isField && operation != Op.Call) continue;
                if (isField)
                {
                    FieldInfo field = tokens.Field(method, Il.Token(bytes, at));
                    if (IsOf(field, method) && (operation == Op.Stsfld && !IsMade(field) || IsState(field)))
                        return true;
                    continue;
                }
                MethodBase called = tokens.Method(method, Il.Token(bytes, at));
                if (IsOf(called, method) && called.IsStatic && IsTouched(called)) return true;
            }
            return false;
        }

        static bool IsOf(MemberInfo member, MethodBase method)
        {
            return member != null && member.DeclaringType == method.DeclaringType;
        }

        static bool IsMade(FieldInfo field)
        {
            return field.Name.IndexOf('<') >= 0 && !field.Name.EndsWith("k__BackingField", StringComparison.Ordinal);
        }

        bool IsState(FieldInfo field)
        {
            if (field.IsLiteral || IsMade(field)) return false;
            if (!field.IsInitOnly) return true;
            if (!withReadonly) return false;
            Type type = field.FieldType;
            if (type == field.DeclaringType || type.IsEnum || type.IsPrimitive || type.IsArray) return false;
            bool isConstant = ScalarFromJson.Knows(type) || typeof(Delegate).IsAssignableFrom(type) || IsTool(type);
            return !isConstant;
        }

        // What is there to be used, not to be kept.
        static bool IsTool(Type type)
        {
            string name = type.FullName ?? "";
            return type == typeof(object) || name.StartsWith("System.Text.", StringComparison.Ordinal)
                || name.StartsWith("System.Threading.", StringComparison.Ordinal)
                || name.StartsWith("System.IO.", StringComparison.Ordinal)
                || name.IndexOf("Comparer", StringComparison.Ordinal) >= 0
                || name.IndexOf("Logger", StringComparison.Ordinal) >= 0
                || name.StartsWith("System.Random", StringComparison.Ordinal);
        }
    }
}
