using System;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using Substrate.Health;
using Substrate.Json;
using Substrate.Meta;

namespace Substrate.Act
{
    // Describes the app's types that parameters have, each once, in the form that type-definition.ts reads.
    sealed class TypeDefinitions
    {
        const BindingFlags OfInstance = BindingFlags.Public | BindingFlags.Instance;
        // The limit for constructors of the types that constructors take.
        const int MaxDepth = 3;
        // The limit for a description before a call, with all members.
        const int MaxAllDepth = 8;
        const int MaxAtOnce = 500;
        const int MaxParts = 100;
        const int MaxMembers = 1000;
        const int MaxName = 300;
        // The smallest depth at which each type was reported: a smaller depth is followed farther.
        ConditionalWeakTable<Type, object> sent = new ConditionalWeakTable<Type, object>();
        JsonWriter answer = new JsonWriter();
        int count;

        internal void Forget()
        {
            sent = new ConditionalWeakTable<Type, object>();
        }

        // The descriptions since the last call, as JSON without brackets.
        internal JsonWriter Take()
        {
            JsonWriter taken = answer;
            answer = new JsonWriter();
            count = 0;
            return taken;
        }

        // Describes a type and the parameters of its constructors, unless they were reported before.
        internal void Mention(Type type)
        {
            Mention(type, 0, null);
        }

        // Describes everything that its values may be made of.
        internal void MentionAll(Type type)
        {
            Mention(type, 0, new HashSet<Type>());
        }

        // `all` collects the types met, where members are followed, too.
        void Mention(Type type, int depth, HashSet<Type> all)
        {
            if (depth > (all == null ? MaxDepth : MaxAllDepth) || count >= MaxAtOnce) return;
            if (type.HasElementType)
            {
                Mention(type.GetElementType(), depth, all);
                return;
            }
            if (type.IsGenericType)
                foreach (Type argument in type.GetGenericArguments()) Mention(argument, depth, all);
            if (type.IsGenericParameter || !type.IsEnum && Frameworks.Is(type)) return;
            if (typeof(Delegate).IsAssignableFrom(type)) return;
            object known;
            int before = sent.TryGetValue(type, out known) ? (int)known : int.MaxValue;
            if (all == null ? before <= depth : !all.Add(type)) return;
            if (before > depth)
            {
                sent.Remove(type);
                sent.Add(type, depth);
            }
            try
            {
                if (before == int.MaxValue) Write(type);
                Follow(type, depth, all);
            }
            catch (Exception discarded)
            {
                // A type in its members is missing.
                Discarded.Count("TypeDefinitions.Mention", discarded);
            }
        }

        void Follow(Type type, int depth, HashSet<Type> all)
        {
            if (type.IsEnum || type.IsAbstract) return;
            foreach (ConstructorInfo constructor in Constructors(type))
                foreach (ParameterInfo parameter in constructor.GetParameters())
                    Mention(parameter.ParameterType, depth + 1, all);
            if (all == null) return;
            foreach (MemberInfo member in Settable(type)) Mention(TypeOf(member), depth + 1, all);
        }

        void Write(Type type)
        {
            string kind = type.IsEnum ? "enum" : type.IsInterface ? "interface" : type.IsAbstract ? "abstract"
                : type.IsValueType ? "value" : "class";
            JsonWriter definition = new JsonWriter().Raw("{\"name\":").Text(TypeText.Of(type));
            definition.Raw(",\"kind\":").Text(kind).Raw(",\"hash\":").Text(AssemblyHashes.Of(type));
            TypeText.WriteLineage(definition.Raw(",\"lineage\":"), type);
            if (type.IsEnum) Constants(definition, type);
            else if (!type.IsAbstract) Parts(definition, type);
            count++;
            answer.Raw(answer.Length == 0 ? "" : ",").Raw(definition.Raw('}'));
        }

        // Read from the metadata: no code of the app runs.
        static void Constants(JsonWriter definition, Type type)
        {
            definition.Raw(",\"constants\":[");
            int found = 0;
            const BindingFlags declared = BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly;
            foreach (FieldInfo field in type.GetFields(declared))
            {
                if (found == MaxMembers) break;
                string number = Convert.ToString(field.GetRawConstantValue(), CultureInfo.InvariantCulture);
                definition.Raw(found++ == 0 ? "[" : ",[").Text(field.Name).Raw(',').Text(number).Raw(']');
            }
            bool isFlags = Loaded.HasAttribute(type, type, typeof(FlagsAttribute));
            definition.Raw(isFlags ? "],\"isFlags\":true" : "]");
        }

        static void Parts(JsonWriter definition, Type type)
        {
            definition.Raw(",\"constructors\":[");
            int found = 0;
            foreach (ConstructorInfo constructor in Constructors(type))
            {
                if (found == MaxParts) break;
                definition.Raw(found++ == 0 ? "" : ",").Raw("{\"key\":").Text(constructor.ToString());
                definition.Raw(",\"parameters\":[");
                string separator = "";
                foreach (ParameterInfo parameter in constructor.GetParameters())
                {
                    Member(definition.Raw(separator), parameter.Name, parameter.ParameterType);
                    definition.Raw(parameter.IsOptional ? ",\"isOptional\":true}" : "}");
                    separator = ",";
                }
                definition.Raw("]}");
            }
            definition.Raw("],\"members\":[");
            found = 0;
            foreach (MemberInfo member in Settable(type))
            {
                if (found == MaxMembers) break;
                Member(definition.Raw(found++ == 0 ? "" : ","), member.Name, TypeOf(member));
                definition.Raw('}');
            }
            definition.Raw(']');
        }

        static void Member(JsonWriter definition, string name, Type type)
        {
            string cut = name ?? "";
            if (cut.Length > MaxName) cut = cut.Substring(0, MaxName);
            definition.Raw("{\"name\":").Text(cut).Raw(",\"type\":").Text(TypeText.Of(type));
        }

        internal static Type TypeOf(MemberInfo member)
        {
            var property = member as PropertyInfo;
            return property != null ? property.PropertyType : ((FieldInfo)member).FieldType;
        }

        internal static List<ConstructorInfo> Constructors(Type type)
        {
            var found = new List<ConstructorInfo>();
            foreach (ConstructorInfo constructor in type.GetConstructors(OfInstance))
            {
                if (!Loaded.CanRead(type, constructor)) continue;
                ParameterInfo[] parameters = constructor.GetParameters();
                // The copy constructor of a record.
                bool isCopy = parameters.Length == 1 && parameters[0].ParameterType == type;
                if (!isCopy) found.Add(constructor);
            }
            return found;
        }

        internal static List<MemberInfo> Settable(Type type)
        {
            var members = new List<MemberInfo>();
            foreach (PropertyInfo property in type.GetProperties(OfInstance))
            {
                MethodInfo setter = property.GetSetMethod();
                if (setter != null && Loaded.CanRead(property.DeclaringType, setter)
                    && property.GetIndexParameters().Length == 0) members.Add(property);
            }
            foreach (FieldInfo field in type.GetFields(OfInstance))
                if (!field.IsInitOnly && Loaded.CanRead(field.DeclaringType, field)) members.Add(field);
            return members;
        }
    }
}
