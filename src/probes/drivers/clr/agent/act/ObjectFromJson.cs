using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Meta;

namespace Substrate.Act
{
    // Objects of the app made from JSON: by a public constructor whose parameters have the given names (or that has
    // none), and by the properties and fields that can be set.
    sealed class ObjectFromJson
    {
        const BindingFlags OfInstance = BindingFlags.Public | BindingFlags.Instance;
        readonly Coerce coerce;

        internal ObjectFromJson(Coerce coerce)
        {
            this.coerce = coerce;
        }

        internal Plan Plan(object json, Type type, string where)
        {
            string name = TypeWords.A(TypeWords.Name(type));
            if (type.IsInterface || type.IsAbstract)
            {
                string kind = type.IsInterface ? "an interface" : "an abstract class";
                throw new BadArgument(where + " takes " + name + ", " + kind
                    + ": name an object of the state, {\"$ref\": \"its path\"}");
            }
            var given = json as Dictionary<string, object>;
            if (given == null)
                throw new BadArgument(where + " is " + TypeWords.Given(json) + "; expected an object for " + name);
            return FromObject(given, type, where);
        }

        Plan FromObject(Dictionary<string, object> given, Type type, string where)
        {
            List<MemberInfo> members = Settable(type);
            List<ConstructorInfo> constructors = Constructors(type);
            if (constructors.Count == 0 && !type.IsValueType)
                throw new BadArgument(where + " takes " + TypeWords.A(TypeWords.Name(type))
                    + ", which has no public constructor: "
                    + "name an object of the state, {\"$ref\": \"its path\"}");
            Plan best = null;
            BadArgument refusal = null;
            // A struct can always be made of nothing.
            if (type.IsValueType) constructors.Add(null);
            foreach (ConstructorInfo constructor in constructors)
            {
                ParameterInfo[] parameters = constructor == null ? new ParameterInfo[0] : constructor.GetParameters();
                if (!Takes(given, parameters, members)) continue;
                try
                {
                    Plan plan = By(given, type, constructor, parameters, members, where);
                    if (best == null || plan.Cost < best.Cost) best = plan;
                }
                catch (BadArgument unfit)
                {
                    refusal = unfit;
                }
            }
            if (best != null) return best;
            throw refusal ?? Unknown(given, constructors, members, type, where);
        }

        // Each given name is a parameter, or can be set afterwards.
        static bool Takes(Dictionary<string, object> given, ParameterInfo[] parameters, List<MemberInfo> members)
        {
            foreach (string name in given.Keys)
                if (Parameter(parameters, name) < 0 && Member(members, name) == null) return false;
            return true;
        }

        Plan By(Dictionary<string, object> given, Type type, ConstructorInfo constructor, ParameterInfo[] parameters,
            List<MemberInfo> members, string where)
        {
            var arguments = new Plan[parameters.Length];
            var set = new List<MemberInfo>();
            var values = new List<Plan>();
            foreach (KeyValuePair<string, object> each in given)
            {
                int at = Parameter(parameters, each.Key);
                if (at >= 0)
                {
                    arguments[at] = coerce.Plan(each.Value, parameters[at].ParameterType, where + "." + each.Key);
                    continue;
                }
                MemberInfo member = Member(members, each.Key);
                set.Add(member);
                values.Add(coerce.Plan(each.Value, TypeOf(member), where + "." + each.Key));
            }
            for (int at = 0; at < arguments.Length; at++)
            {
                if (arguments[at] != null) continue;
                if (!parameters[at].IsOptional)
                    throw new BadArgument(where + "." + parameters[at].Name + " is missing");
                arguments[at] = Coerce.Default(parameters[at]);
            }
            Plan[] others = values.ToArray();
            int cost = Math.Max(Act.Plan.CostOf(arguments), Act.Plan.CostOf(others)) + 2;
            return Act.Plan.Later(cost, stop =>
            {
                object[] made = Act.Plan.MakeAll(arguments, stop);
                object[] later = Act.Plan.MakeAll(others, stop);
                object bean = constructor == null ? Array.CreateInstance(type, 1).GetValue(0)
                    : constructor.Invoke(made);
                for (int at = 0; at < later.Length; at++) Set(bean, set[at], later[at]);
                return bean;
            });
        }

        static void Set(object bean, MemberInfo member, object value)
        {
            var property = member as PropertyInfo;
            if (property != null) property.SetValue(bean, value, null);
            else ((FieldInfo)member).SetValue(bean, value);
        }

        static BadArgument Unknown(Dictionary<string, object> given, List<ConstructorInfo> constructors,
            List<MemberInfo> members,
            Type type, string where)
        {
            var known = new List<string>();
            foreach (MemberInfo member in members) known.Add(member.Name);
            foreach (ConstructorInfo constructor in constructors)
                if (constructor != null)
                    foreach (ParameterInfo parameter in constructor.GetParameters())
                        if (!Has(known, parameter.Name)) known.Add(parameter.Name);
            foreach (string name in given.Keys)
                if (!Has(known, name))
                    return new BadArgument(where + " has no member " + name + "; it has " + TypeWords.Joined(known));
            return new BadArgument(where + " takes " + TypeWords.A(TypeWords.Name(type))
                + ", which cannot be made of these together");
        }

        static bool Has(List<string> known, string name)
        {
            foreach (string each in known)
                if (string.Equals(each, name, StringComparison.OrdinalIgnoreCase)) return true;
            return false;
        }

        static int Parameter(ParameterInfo[] parameters, string name)
        {
            for (int at = 0; at < parameters.Length; at++)
                if (string.Equals(parameters[at].Name, name, StringComparison.OrdinalIgnoreCase)) return at;
            return -1;
        }

        static MemberInfo Member(List<MemberInfo> members, string name)
        {
            foreach (MemberInfo member in members) if (member.Name == name) return member;
            foreach (MemberInfo member in members)
                if (string.Equals(member.Name, name, StringComparison.OrdinalIgnoreCase)) return member;
            return null;
        }

        static Type TypeOf(MemberInfo member)
        {
            var property = member as PropertyInfo;
            return property != null ? property.PropertyType : ((FieldInfo)member).FieldType;
        }

        internal static List<ConstructorInfo> Constructors(Type type)
        {
            var found = new List<ConstructorInfo>();
            foreach (ConstructorInfo constructor in type.GetConstructors(OfInstance))
            {
                if (!Loaded.CanTell(type, constructor)) continue;
                ParameterInfo[] parameters = constructor.GetParameters();
                // The one by which a record is copied.
                bool isCopy = parameters.Length == 1 && parameters[0].ParameterType == type;
                if (!isCopy) found.Add(constructor);
            }
            return found;
        }

        static List<MemberInfo> Settable(Type type)
        {
            var members = new List<MemberInfo>();
            foreach (PropertyInfo property in type.GetProperties(OfInstance))
            {
                MethodInfo setter = property.GetSetMethod();
                if (setter != null && Loaded.CanTell(property.DeclaringType, setter)
                    && property.GetIndexParameters().Length == 0) members.Add(property);
            }
            foreach (FieldInfo field in type.GetFields(OfInstance))
                if (!field.IsInitOnly && Loaded.CanTell(field.DeclaringType, field)) members.Add(field);
            return members;
        }
    }
}
