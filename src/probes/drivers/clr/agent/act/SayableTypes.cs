using System;
using System.Collections.Generic;
using System.Reflection;
using System.Threading;
using Substrate.Meta;

namespace Substrate.Act
{
    // Types that JSON can express, or that objects in the state may have: the daemon knows those of .NET.
    sealed class SayableTypes
    {
        // In a longer tuple the last item is a tuple again.
        const int MaxItems = 7;
        static readonly PropertyInfo ByRefLike = typeof(Type).GetProperty("IsByRefLike");
        HashSet<object> scalars = new HashSet<object>();
        HashSet<object> others = new HashSet<object>();

        // `types`: {scalars: [name…], others: [name…]}; null means unchanged.
        internal void Take(object types)
        {
            var names = types as Dictionary<string, object>;
            if (names == null) return;
            scalars = new HashSet<object>((List<object>)names["scalars"]);
            others = new HashSet<object>((List<object>)names["others"]);
        }

        // True for types whose values are one scalar.
        internal bool IsScalar(Type type)
        {
            return type.IsEnum || scalars.Contains(TypeText.Name(type));
        }

        internal bool CanSay(Type type)
        {
            if (type.IsByRef || type.IsPointer || type.IsGenericParameter || IsByRefLike(type)) return false;
            if (typeof(Delegate).IsAssignableFrom(type)) return false;
            if (type.IsArray) return type.GetArrayRank() == 1 && CanSay(type.GetElementType());
            Type inner = Nullable.GetUnderlyingType(type);
            if (inner != null) return CanSay(inner);
            if (IsScalar(type)) return true;
            if (!Frameworks.Is(type)) return true;
            if (!others.Contains(TypeText.Name(type))) return false;
            Type[] arguments = type.GetGenericArguments();
            foreach (Type argument in arguments) if (!CanSay(argument)) return false;
            return !IsTuple(type) || arguments.Length <= MaxItems;
        }

        internal static bool IsTuple(Type type)
        {
            string name = TypeText.Name(type);
            return type.IsGenericType && (name == "System.Tuple" || name == "System.ValueTuple");
        }

        // Parameters that the caller does not see: a token that is cancelled when the time is over, or progress that
        // nobody reads.
        internal static bool IsSupplied(Type type)
        {
            return type == typeof(CancellationToken)
                || type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IProgress<>);
        }

        // True for spans and other types that live on a stack. Older runtimes do not have the property.
        internal static bool IsByRefLike(Type type)
        {
            return ByRefLike != null && (bool)ByRefLike.GetValue(type, null);
        }
    }
}
