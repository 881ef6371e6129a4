using System;
using System.Collections.Generic;
using System.Reflection;
using System.Threading;
using Substrate.Meta;
using Substrate.State;

namespace Substrate.Act
{
    // From JSON to the values that a method takes. Everything is checked before anything of the app runs.
    sealed class Coerce
    {
        const string Reference = "$ref";
        const string ReferenceText = "[ref] ";
        readonly IShown shown;
        readonly ObjectFromJson beans;

        internal Coerce(IShown shown)
        {
            this.shown = shown;
            beans = new ObjectFromJson(this);
        }

        internal Plan Plan(object json, Type type, string where)
        {
            Type inner = Nullable.GetUnderlyingType(type);
            Plan reference = Named(json, type, where);
            if (reference != null) return reference;
            if (json == null)
            {
                if (type.IsValueType && inner == null)
                    throw new BadArgument(where + " is null; expected " + TypeWords.Wanted(type));
                return Act.Plan.Ready(null, 0);
            }
            if (inner != null) return Plan(json, inner, where);
            if (type.IsEnum) return Enums.Plan(json, type, where);
            if (ScalarFromJson.Knows(type)) return ScalarFromJson.Plan(json, type, where);
            if (TakesAnything(type)) return Act.Plan.Ready(json, 40);
            if (type.IsArray) return OfArray(json, type.GetElementType(), where);
            if (Tuples.Is(type)) return Tuples.Plan(this, json, type, where);
            Type made = ContainerFromJson.TypeFor(type);
            if (made != null) return ContainerFromJson.Plan(this, json, made, where);
            if (Frameworks.Is(type))
                throw new BadArgument(where + " takes " + TypeWords.A(type.FullName) + ", which JSON cannot say");
            return beans.Plan(json, type, where);
        }

        internal static bool TakesAnything(Type type)
        {
            return type == typeof(object);
        }

        // Whether there is JSON for the type at all, or objects of the state may be of it.
        internal static bool CanMake(Type type)
        {
            if (type.IsByRef || type.IsPointer || type.IsGenericParameter || IsByRefLike(type)) return false;
            if (typeof(Delegate).IsAssignableFrom(type)) return false;
            if (type.IsArray) return type.GetArrayRank() == 1 && CanMake(type.GetElementType());
            Type inner = Nullable.GetUnderlyingType(type);
            if (inner != null) return CanMake(inner);
            if (type.IsEnum || ScalarFromJson.Knows(type) || TakesAnything(type)) return true;
            if (Tuples.Is(type) || ContainerFromJson.TypeFor(type) != null)
            {
                foreach (Type argument in type.GetGenericArguments()) if (!CanMake(argument)) return false;
                return true;
            }
            return !Frameworks.Is(type);
        }

        // Not shown to anybody: a token that is cancelled when the time is over, or progress that nobody hears.
        internal static bool IsSupplied(Type type)
        {
            return type == typeof(CancellationToken)
                || type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IProgress<>);
        }

        internal static Plan Supplied(Type type)
        {
            return Act.Plan.Later(0, stop => type == typeof(CancellationToken) ? (object)stop : null);
        }

        // What an optional parameter gets that was left out.
        internal static Plan Default(ParameterInfo parameter)
        {
            Type type = parameter.ParameterType;
            object value = (parameter.Attributes & ParameterAttributes.HasDefault) != 0 || parameter.IsOptional
                ? parameter.RawDefaultValue : null;
            if (value is Missing || value is DBNull) value = null;
            Type inner = Nullable.GetUnderlyingType(type) ?? type;
            if (value != null && inner.IsEnum) value = Enum.ToObject(inner, value);
            // Not by a constructor: a struct of the app may have one that does something.
            if (value == null && type.IsValueType && inner == type) value = Array.CreateInstance(type, 1).GetValue(0);
            return Act.Plan.Ready(value, 1);
        }

        // `[ref] shop.users.ann` or {"$ref": "shop.users.ann"}: the object that the state shows there.
        Plan Named(object json, Type type, string where)
        {
            if (shown == null || type == typeof(string)) return null;
            string path = null;
            var map = json as Dictionary<string, object>;
            var text = json as string;
            if (map != null && map.Count == 1 && map.ContainsKey(Reference)) path = map[Reference] as string;
            else if (text != null && type != typeof(object) && text.StartsWith(ReferenceText, StringComparison.Ordinal))
                path = text.Substring(ReferenceText.Length);
            if (path == null) return null;
            object found = shown.Find(path);
            // A type stands where static fields are shown: no object.
            if (found == null || found is Type)
                throw new BadArgument(where + " names " + path + ", which is no object of the state");
            // Not ready: to put it into a set or dictionary asks it for its hash.
            if (type.IsInstanceOfType(found)) return Act.Plan.Later(0, stop => found);
            throw new BadArgument(where + " names " + path + ", " + TypeWords.A(found.GetType().FullName)
                + "; expected "
                + TypeWords.A(type.FullName ?? type.Name));
        }

        Plan OfArray(object json, Type element, string where)
        {
            if (element == typeof(char) && json is string) return Act.Plan.Ready(((string)json).ToCharArray(), 5);
            Plan[] elements = Elements(json, element, where);
            Plan plan = Act.Plan.Later(Act.Plan.CostOf(elements), stop =>
            {
                Array array = Array.CreateInstance(element, elements.Length);
                for (int at = 0; at < elements.Length; at++) array.SetValue(elements[at].Make(stop), at);
                return array;
            });
            return Act.Plan.AreReady(elements) ? plan.Settled(where) : plan;
        }

        internal Plan[] Elements(object json, Type element, string where)
        {
            var values = json as List<object>;
            if (values == null) throw new BadArgument(where + " is " + TypeWords.Given(json) + "; expected an array");
            var plans = new Plan[values.Count];
            for (int at = 0; at < plans.Length; at++) plans[at] = Plan(values[at], element, where + "[" + at + "]");
            return plans;
        }

        static readonly PropertyInfo ByRefLike = typeof(Type).GetProperty("IsByRefLike");

        // A span or the like, which lives on a stack. Older runtimes do not know of it.
        internal static bool IsByRefLike(Type type)
        {
            return ByRefLike != null && (bool)ByRefLike.GetValue(type, null);
        }
    }
}
