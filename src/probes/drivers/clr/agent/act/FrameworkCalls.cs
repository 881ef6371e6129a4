using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Meta;

namespace Substrate.Act
{
    // What a call of the framework does. Taken as read: the app's own collections keep to their contracts where an
    // interface of the framework is called; those that are seen to be handled are looked at.
    static class FrameworkCalls
    {
        const string Collections = "System.Collections.";
        static readonly HashSet<string> MakesNew = new HashSet<string>
        {
            "GetEnumerator", "ToArray", "ToList", "Split", "ToCharArray", "Clone", "MemberwiseClone", "GetRange",
            "FindAll", "ConvertAll",
            "ToDictionary", "ToHashSet", "GetBytes", "Matches",
        };
        // What the caller gave, checked or in another dress: it is still that.
        static readonly HashSet<string> SameValue = new HashSet<string>
        {
            "Max", "Min", "Clamp", "Trim", "get_Value", "GetValueOrDefault", "op_Implicit", "op_Explicit", "ToString",
        };

        // `System.Collections.Generic.List`: without what stands in angle brackets.
        internal static string NameOf(Type type)
        {
            string name = type.Namespace + "." + (type.DeclaringType == null ? "" : type.DeclaringType.Name + "+")
                + type.Name;
            int tick = name.IndexOf('`');
            while (tick >= 0)
            {
                int end = tick + 1;
                while (end < name.Length && char.IsDigit(name[end])) end++;
                name = name.Remove(tick, end - tick);
                tick = name.IndexOf('`');
            }
            return name;
        }

        // A level of Effects.
        internal static int Level(Call call)
        {
            Type type = call.Method.DeclaringType;
            string name = call.Method.Name;
            if (typeof(Delegate).IsAssignableFrom(type) && name == "Invoke")
                return call.Receiver == ValueOrigin.Function ? Effects.None : Effects.Unknown;
            if (!FunctionsArePure(call)) return Effects.Unknown;
            return Math.Max(OfAddresses(call), OfItself(call, type, NameOf(type), name));
        }

        static int OfItself(Call call, Type type, string typeName, string name)
        {
            if (type.IsArray) return name == "Get" || name == ".ctor" ? Effects.None : Effects.Unknown;
            if (FrameworkTables.IsIn(FrameworkTables.WritesFirst, typeName, name)) return OfFirst(call);
            if (typeName == "System.Array" && name == "Copy")
                return ValueOrigin.OfWritingTo(call.Arguments[call.Arguments.Length == 3 ? 1 : 2]);
            if (name == "CopyTo" && (IsContainer(typeName) || typeName == "System.Array"
                || typeName == "System.String"))
                return OfWritingToArray(call);
            if (typeName == "System.String") return Effects.None;
            if (IsMachinery(typeName)) return Effects.None;
            if (IsStepper(type, typeName) && FrameworkTables.Steps.Contains(name))
                return ValueOrigin.OfWritingTo(call.Receiver);
            if (typeName == "System.IDisposable" && call.Receiver != ValueOrigin.Held && call.Receiver != ValueOrigin.This)
                return ValueOrigin.OfWritingTo(call.Receiver);
            if (FrameworkTables.IsIn(FrameworkTables.Reads, typeName, name)) return Effects.None;
            if (FrameworkTables.IsIn(FrameworkTables.Writes, typeName, name)) return ValueOrigin.OfWritingTo(call.Receiver);
            if (IsContainer(typeName)) return OfContainer(call, typeName, name);
            if (typeName.StartsWith(Collections + "Immutable.", StringComparison.Ordinal))
                return OfImmutable(call, typeName);
            if (!typeof(Exception).IsAssignableFrom(type)) return Effects.Unknown;
            bool isHarmless = name == ".ctor" || name.StartsWith("get_", StringComparison.Ordinal)
                || name.StartsWith("ThrowIf", StringComparison.Ordinal);
            return isHarmless ? Effects.None : Effects.Unknown;
        }

        // A lock counts as something of its own: who holds it may wait for others.
        static int OfFirst(Call call)
        {
            bool isMonitor = call.Method.DeclaringType.Name == "Monitor";
            // The address is looked at with all others.
            if (!isMonitor && call.Method.GetParameters()[0].ParameterType.IsByRef) return Effects.None;
            bool isOnObject = !call.Method.IsStatic;
            return ValueOrigin.OfWritingTo(isOnObject ? call.Receiver : call.Arguments[0]);
        }

        static int OfWritingToArray(Call call)
        {
            int worst = Effects.None;
            ParameterInfo[] parameters = call.Method.GetParameters();
            for (int at = 0; at < parameters.Length; at++)
                if (!parameters[at].ParameterType.IsPrimitive)
                    worst = Math.Max(worst, ValueOrigin.OfWritingTo(call.Arguments[at]));
            return worst;
        }

        static int OfContainer(Call call, string typeName, string name)
        {
            // The one that turns its own elements round has the name of one that makes a new sequence.
            bool isReverse = name == "Reverse" && typeName == Collections + "Generic.List";
            if (isReverse || FrameworkTables.ContainerWrites.Contains(name)) return ValueOrigin.OfWritingTo(call.Receiver);
            return FrameworkTables.ContainerReads.Contains(name) ? Effects.None : Effects.Unknown;
        }

        static int OfImmutable(Call call, string typeName)
        {
            if (typeName.EndsWith("Interlocked", StringComparison.Ordinal)) return Effects.Unknown;
            return typeName.EndsWith("Builder", StringComparison.Ordinal) ? ValueOrigin.OfWritingTo(call.Receiver)
                : Effects.None;
        }

        // What compilers call to make, to wait for and to end the tasks of async methods.
        static bool IsMachinery(string typeName)
        {
            if (!typeName.StartsWith("System.Runtime.CompilerServices.", StringComparison.Ordinal)) return false;
            return typeName.IndexOf("MethodBuilder", StringComparison.Ordinal) >= 0
                || typeName.IndexOf("Awaiter", StringComparison.Ordinal) >= 0
                || typeName.IndexOf("Awaitable", StringComparison.Ordinal) >= 0
                || typeName == "System.Runtime.CompilerServices.IAsyncStateMachine";
        }

        static bool IsStepper(Type type, string typeName)
        {
            return typeName.EndsWith("Enumerator", StringComparison.Ordinal)
                || typeof(System.Collections.IEnumerator).IsAssignableFrom(type);
        }

        // It may do its work when somebody goes through it: that asks a database, or takes things out of a queue.
        internal static bool IsSequence(Type type)
        {
            return type.IsInterface && (type.Name.StartsWith("IEnumerable", StringComparison.Ordinal)
                || type.Name.IndexOf("Queryable", StringComparison.Ordinal) > 0);
        }

        static bool IsContainer(string typeName)
        {
            if (!typeName.StartsWith(Collections, StringComparison.Ordinal)) return false;
            string inside = typeName.Substring(Collections.Length);
            int nested = inside.IndexOf('+');
            return FrameworkTables.Containers.Contains(nested < 0 ? inside : inside.Substring(0, nested));
        }

        // What a constructor makes has nothing in common with what it is given: no span, no view of a list.
        internal static bool IsApart(Call call)
        {
            Type type = call.Method.DeclaringType;
            if (typeof(Exception).IsAssignableFrom(type)) return true;
            string name = NameOf(type);
            bool isView = name.StartsWith(Collections + "ObjectModel.", StringComparison.Ordinal);
            if (IsContainer(name) && !isView) return true;
            foreach (ParameterInfo parameter in call.Method.GetParameters())
                if (!parameter.ParameterType.IsPrimitive && parameter.ParameterType != typeof(string)) return false;
            return true;
        }

        // What is passed by its address or as a span is written.
        static int OfAddresses(Call call)
        {
            int worst = Effects.None;
            ParameterInfo[] parameters = call.Method.GetParameters();
            for (int at = 0; at < parameters.Length; at++)
            {
                Type type = parameters[at].ParameterType;
                bool isWritten = type.IsByRef && (!parameters[at].IsIn || parameters[at].IsOut)
                    || type.Name == "Span`1";
                if (isWritten) worst = Math.Max(worst, ValueOrigin.OfWritingTo(call.Arguments[at]));
            }
            return worst;
        }

        static bool FunctionsArePure(Call call)
        {
            ParameterInfo[] parameters = call.Method.GetParameters();
            for (int at = 0; at < parameters.Length; at++)
            {
                byte kind = call.Arguments[at];
                bool isKnown = kind == ValueOrigin.Function || kind == ValueOrigin.Constant;
                if (!isKnown && IsFunction(parameters[at].ParameterType)) return false;
            }
            return true;
        }

        static bool IsFunction(Type type)
        {
            if (typeof(Delegate).IsAssignableFrom(type))
                return type != typeof(Delegate) && type != typeof(MulticastDelegate);
            return type.IsInterface && type.Name.IndexOf("Comparer", StringComparison.Ordinal) >= 0;
        }

        // The kind of what a call brings.
        internal static byte Result(Call call)
        {
            Type type = call.Method.DeclaringType;
            if (!Frameworks.Is(type)) return ValueOrigin.Other;
            string name = call.Method.Name;
            string typeName = NameOf(type);
            if (typeName == "System.Text.StringBuilder" && FrameworkTables.IsIn(FrameworkTables.Writes, typeName, name))
                return call.Receiver;
            bool isComparer = typeName.IndexOf("Comparer", StringComparison.Ordinal) >= 0
                && (call.Method.IsStatic && name.StartsWith("get_", StringComparison.Ordinal));
            if (isComparer) return ValueOrigin.Function;
            bool isSequence = typeName == "System.Linq.Enumerable";
            if ((isSequence || MakesNew.Contains(name)) && Level(call) == Effects.None)
                return IsElement(name) ? ValueOrigin.Other : ValueOrigin.Fresh;
            return SameValue.Contains(name) && IsSameValue(call, typeName) ? ValueOrigin.Argument : ValueOrigin.Other;
        }

        // Of a sequence, one that was there before: it belongs to whoever put it there.
        static bool IsElement(string name)
        {
            return name.StartsWith("First", StringComparison.Ordinal)
                || name.StartsWith("Last", StringComparison.Ordinal)
                || name.StartsWith("Single", StringComparison.Ordinal)
                || name.StartsWith("ElementAt", StringComparison.Ordinal)
                || name.StartsWith("Max", StringComparison.Ordinal) || name.StartsWith("Min", StringComparison.Ordinal)
                || name == "Aggregate" || name == "AsEnumerable" || name == "Cast";
        }

        static bool IsSameValue(Call call, string typeName)
        {
            bool isKnown = typeName == "System.Math" || typeName == "System.String" || typeName == "System.Nullable"
                || typeName == "System.Decimal";
            if (!isKnown) return false;
            byte merged = call.Method.IsStatic ? ValueOrigin.Constant : call.Receiver;
            foreach (byte argument in call.Arguments) merged = ValueOrigin.Merge(merged, argument);
            return merged == ValueOrigin.Argument;
        }
    }
}
