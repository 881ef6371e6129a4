using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;
using System.Threading;
using Substrate.State;

namespace Substrate.Act
{
    // Makes values as the daemon describes them, see made-value.ts; the daemon has checked them against the types.
    // Values of .NET types are made at once; values that need code of the app are made on the thread of the call.
    sealed class ValueMaker
    {
        static readonly CultureInfo Invariant = CultureInfo.InvariantCulture;
        readonly IShown shown;

        internal ValueMaker(IShown shown)
        {
            this.shown = shown;
        }

        // `spec`: the values of the parameters that are not supplied by the agent.
        internal Plan[] Plans(object spec, ParameterInfo[] parameters)
        {
            var values = (List<object>)spec;
            var plans = new Plan[parameters.Length];
            int next = 0;
            for (int at = 0; at < plans.Length; at++)
            {
                Type type = parameters[at].ParameterType;
                if (SayableTypes.IsSupplied(type)) plans[at] = Supplied(type);
                else if (next == values.Count) throw new BadArgument("there are other parameters now");
                else plans[at] = Given(values[next++], parameters[at]);
            }
            return plans;
        }

        Plan Given(object spec, ParameterInfo parameter)
        {
            var value = spec as Dictionary<string, object>;
            bool isLeftOut = value != null && "default".Equals(value["is"]);
            return isLeftOut ? Default(parameter) : Make(spec, parameter.ParameterType);
        }

        static Plan Supplied(Type type)
        {
            return Plan.Later(stop => type == typeof(CancellationToken) ? (object)stop : null);
        }

        // The value of an omitted optional parameter.
        static Plan Default(ParameterInfo parameter)
        {
            Type type = parameter.ParameterType;
            object value = (parameter.Attributes & ParameterAttributes.HasDefault) != 0 || parameter.IsOptional
                ? parameter.RawDefaultValue : null;
            if (value is Missing || value is DBNull) value = null;
            Type inner = Nullable.GetUnderlyingType(type) ?? type;
            if (value != null && inner.IsEnum) value = Enum.ToObject(inner, value);
            // A constructor is not called: that of a struct of the app may do something.
            if (value == null && type.IsValueType && inner == type) value = Nothing(type);
            return Plan.Ready(value);
        }

        static object Nothing(Type type)
        {
            return Array.CreateInstance(type, 1).GetValue(0);
        }

        Plan Make(object spec, Type type)
        {
            Type inner = Nullable.GetUnderlyingType(type) ?? type;
            var value = spec as Dictionary<string, object>;
            if (value == null && type.IsValueType && inner == type) throw new BadArgument("a value cannot be null");
            Plan plan = value == null ? Plan.Ready(null) : Make(value, inner);
            object made = plan.IsReady ? plan.Make(CancellationToken.None) : null;
            if (made != null && !inner.IsInstanceOfType(made)) throw new BadArgument("a value is no " + inner);
            return plan;
        }

        Plan Make(Dictionary<string, object> spec, Type type)
        {
            object otherwise;
            spec.TryGetValue("otherwise", out otherwise);
            switch ((string)spec["is"])
            {
                case "json": return Plan.Ready(spec["json"]);
                case "object": return Named((string)spec["path"], type, (string)otherwise);
                case "constant": return Plan.Ready(Constant(type, (string)spec["constant"]));
                case "call": return Plan.Ready(Parsed(spec, type, (string)otherwise));
                case "list": return List(spec, type, (string)otherwise);
                case "map": return Map(spec, type, (string)otherwise);
                case "new": return New(spec, type);
                default: throw new BadArgument("a value cannot be left out");
            }
        }

        // The object is not ready: a set or dictionary would call its GetHashCode.
        Plan Named(string path, Type type, string otherwise)
        {
            object found = shown.Find(path);
            // A type stands for its static fields: it is no object.
            if (found == null || found is Type || !type.IsInstanceOfType(found)) throw new BadArgument(otherwise);
            return Plan.Later(stop => found);
        }

        static object Constant(Type type, string number)
        {
            bool isLong = Enum.GetUnderlyingType(type) == typeof(ulong);
            return isLong ? Enum.ToObject(type, ulong.Parse(number, Invariant))
                : Enum.ToObject(type, long.Parse(number, Invariant));
        }

        // Makes a value of one text, by a constructor or by Parse.
        static object Parsed(Dictionary<string, object> spec, Type type, string otherwise)
        {
            var text = (string)((Dictionary<string, object>)((List<object>)spec["of"])[0])["json"];
            try
            {
                if (type == typeof(DateTime)) return DateTime.Parse(text, Invariant, DateTimeStyles.RoundtripKind);
                if (type == typeof(DateTimeOffset))
                    return DateTimeOffset.Parse(text, Invariant, DateTimeStyles.AssumeUniversal);
                if ("new".Equals(spec["by"])) return Activator.CreateInstance(type, text);
                MethodInfo parse = type.GetMethod("Parse", new[] { typeof(string), typeof(IFormatProvider) });
                if (parse != null) return parse.Invoke(null, new object[] { text, Invariant });
                return type.GetMethod("Parse", new[] { typeof(string) }).Invoke(null, new object[] { text });
            }
            catch (Exception)
            {
                throw new BadArgument(otherwise);
            }
        }

        Plan[] Each(object spec, Type type)
        {
            var values = (List<object>)spec;
            var plans = new Plan[values.Count];
            for (int at = 0; at < plans.Length; at++) plans[at] = Make(values[at], type);
            return plans;
        }

        Plan List(Dictionary<string, object> spec, Type type, string otherwise)
        {
            Type element = type.IsArray ? type.GetElementType()
                : type.IsGenericType ? type.GetGenericArguments()[0] : typeof(object);
            Plan[] values = Each(spec["of"], element);
            Type listType = typeof(List<>).MakeGenericType(element);
            Type made = type.IsInterface ? Container((string)spec["type"], listType, element) : type;
            Plan plan = Plan.Later(stop =>
            {
                Array array = Array.CreateInstance(element, values.Length);
                for (int at = 0; at < values.Length; at++) array.SetValue(values[at].Make(stop), at);
                if (type.IsArray) return array;
                object list = Activator.CreateInstance(listType, array);
                return made == listType ? list : Activator.CreateInstance(made, list);
            });
            return Plan.AreReady(values) ? plan.Settled(otherwise) : plan;
        }

        static Type Container(string name, Type listType, Type element)
        {
            return name == "System.Collections.Generic.HashSet" ? typeof(HashSet<>).MakeGenericType(element) : listType;
        }

        Plan Map(Dictionary<string, object> spec, Type type, string otherwise)
        {
            Type[] types = type.IsGenericType ? type.GetGenericArguments() : new[] { typeof(string), typeof(object) };
            Plan[] keys = Each(spec["keys"], types[0]);
            Plan[] values = Each(spec["of"], types[1]);
            Type mapType = typeof(Dictionary<,>).MakeGenericType(types);
            Plan plan = Plan.Later(stop =>
            {
                var map = (IDictionary)Activator.CreateInstance(mapType);
                for (int at = 0; at < keys.Length; at++) map[keys[at].Make(stop)] = values[at].Make(stop);
                return type.IsInterface || type == mapType ? map : Activator.CreateInstance(type, map);
            });
            return Plan.AreReady(keys) && Plan.AreReady(values) ? plan.Settled(otherwise) : plan;
        }

        // Makes an object by a constructor, and sets properties and fields.
        Plan New(Dictionary<string, object> spec, Type type)
        {
            ConstructorInfo constructor = Constructor(type, (string)spec["key"]);
            Plan[] values = Plans(spec["of"], constructor == null ? new ParameterInfo[0] : constructor.GetParameters());
            var members = new List<MemberInfo>();
            var others = new List<Plan>();
            foreach (object each in (List<object>)spec["set"])
            {
                var member = (List<object>)each;
                MemberInfo known = TypeDefinitions.Settable(type).Find(one => one.Name.Equals(member[0]));
                if (known == null) throw new BadArgument(type + " has no member " + member[0] + " any more");
                members.Add(known);
                others.Add(Make(member[1], TypeDefinitions.TypeOf(known)));
            }
            Plan[] later = others.ToArray();
            return Plan.Later(stop =>
            {
                object[] arguments = Plan.MakeAll(values, stop);
                object[] set = Plan.MakeAll(later, stop);
                object made = constructor == null ? Nothing(type) : constructor.Invoke(arguments);
                for (int at = 0; at < set.Length; at++) Set(made, members[at], set[at]);
                return made;
            });
        }

        // Null for a struct without arguments.
        static ConstructorInfo Constructor(Type type, string key)
        {
            if (key == null && !SayableTypes.IsTuple(type)) return null;
            int items = type.GetGenericArguments().Length;
            foreach (ConstructorInfo each in type.GetConstructors())
                if (key == null ? each.GetParameters().Length == items : each.ToString() == key) return each;
            throw new BadArgument(type + " has no such constructor any more");
        }

        static void Set(object made, MemberInfo member, object value)
        {
            var property = member as PropertyInfo;
            if (property != null) property.SetValue(made, value, null);
            else ((FieldInfo)member).SetValue(made, value);
        }
    }
}
