using System;
using System.Collections.Generic;
using System.Reflection;

namespace Substrate.Act
{
    // Tuples of the framework, which JSON says as arrays.
    static class Tuples
    {
        internal static bool Is(Type type)
        {
            string name = type.FullName;
            if (!type.IsGenericType || name == null || type.GetGenericArguments().Length > 7) return false;
            return name.StartsWith("System.Tuple`", StringComparison.Ordinal)
                || name.StartsWith("System.ValueTuple`", StringComparison.Ordinal);
        }

        internal static Plan Plan(Coerce coerce, object json, Type type, string where)
        {
            Type[] types = type.GetGenericArguments();
            var values = json as List<object>;
            if (values == null || values.Count != types.Length)
            {
                string given = values == null ? TypeWords.Given(json) : "an array of " + values.Count;
                throw new BadArgument(where + " is " + given + "; expected an array of " + types.Length);
            }
            var items = new Plan[types.Length];
            for (int at = 0; at < types.Length; at++)
                items[at] = coerce.Plan(values[at], types[at], where + "[" + at + "]");
            ConstructorInfo constructor = type.GetConstructor(types);
            if (constructor == null)
                throw new BadArgument(where + " takes " + TypeWords.A(TypeWords.Name(type))
                    + ", which JSON cannot say");
            return Act.Plan.Later(Act.Plan.CostOf(items) + 1, stop =>
                constructor.Invoke(Act.Plan.MakeAll(items, stop)));
        }
    }
}
