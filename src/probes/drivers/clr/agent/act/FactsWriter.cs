using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using Substrate.Code;
using Substrate.Json;
using Substrate.Meta;
using Substrate.State;

namespace Substrate.Act
{
    // Writes the facts about types and methods, in the form that method-facts.ts reads.
    sealed class FactsWriter
    {
        const int MaxText = 1000;
        const int MaxName = 300;
        const int MaxInterfaces = 8;
        const int MaxHeld = 16;
        const BindingFlags Declared =
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        readonly IShown shown;
        readonly TypeIds ids;
        readonly SayableTypes sayable;
        readonly TypeDefinitions definitions;
        // Name and parameter count of the methods that an interface declares.
        readonly ConditionalWeakTable<Type, HashSet<string>> declared =
            new ConditionalWeakTable<Type, HashSet<string>>();

        internal FactsWriter(IShown shown, TypeIds ids, SayableTypes sayable, TypeDefinitions definitions)
        {
            this.sayable = sayable;
            this.definitions = definitions;
            this.shown = shown;
            this.ids = ids;
        }

        internal void Type(JsonWriter answer, Type type)
        {
            answer.Raw("{\"id\":").Whole(ids.Of(type)).Raw(",\"name\":").Text(Cut(TypeText.Of(type), MaxText));
            answer.Raw(",\"hash\":").Text(AssemblyHashes.Of(type)).Raw('}');
        }

        // `"lineage":[…],"isValue":…`, reported of a type together with its methods.
        internal void AboutType(JsonWriter answer, Type type)
        {
            TypeText.WriteLineage(answer.Raw("\"lineage\":"), type);
            answer.Raw(",\"isValue\":").Flag(IsValue(type)).Raw(",\"isEnum\":").Flag(type.IsEnum);
        }

        // True if its objects never change: the results of its methods follow from values that are shown already.
        bool IsValue(Type type)
        {
            for (Type at = type; at != null && at != typeof(object) && at != typeof(ValueType); at = at.BaseType)
            {
                if (Frameworks.Is(at)) return false;
                foreach (FieldInfo field in at.GetFields(Declared))
                    if (!field.IsInitOnly || !Loaded.CanRead(at, field) || !sayable.IsScalar(field.FieldType))
                        return false;
            }
            return true;
        }

        // Null if it has nothing to do with any state.
        internal JsonWriter Method(Tokens tokens, Type home, MethodInfo method)
        {
            StaticState statics = method.IsStatic ? StaticState.Of(tokens, method) : StaticState.None;
            // A static method without static fields is a utility.
            if (method.IsStatic && !statics.UsesAssignable && statics.Held.Count == 0) return null;
            ParameterInfo[] parameters = method.GetParameters();
            MethodCode code = MethodCode.Of(method);
            var answer = new JsonWriter();
            string name = method.IsSpecialName ? method.Name.Substring(TypeMethods.SetPrefix.Length) : method.Name;
            answer.Raw("{\"name\":").Text(Cut(name, MaxText));
            answer.Raw(",\"key\":").Text(TypeMethods.KeyOf(method)).Raw(",\"parameters\":[");
            string separator = "";
            foreach (ParameterInfo parameter in parameters)
            {
                if (SayableTypes.IsSupplied(parameter.ParameterType)) continue;
                Parameter(answer.Raw(separator), parameter);
                definitions.Mention(parameter.ParameterType);
                separator = ",";
            }
            answer.Raw("],\"returns\":{\"type\":").Text(TypeText.Of(method.ReturnType));
            Type brought = Awaiting.Brings(method.ReturnType);
            if (brought != null) answer.Raw(",\"brings\":").Text(TypeText.Of(brought));
            Type plain = Nullable.GetUnderlyingType(brought ?? method.ReturnType) ?? brought ?? method.ReturnType;
            // JSON writes its constants as texts.
            if (plain.IsEnum) definitions.Mention(plain);
            answer.Raw('}');
            var interfaces = new List<string>();
            var flags = new List<string>();
            if (method.IsStatic) flags.Add("static");
            else if (IsDeclaredOutside(home, method, method.Name + "/" + parameters.Length, interfaces))
                flags.Add("outside");
            if (method.IsSpecialName) flags.Add("property");
            if (code != null && code.IsEmpty) flags.Add("empty");
            if (code != null && code.IsPlainGetter && parameters.Length == 0) flags.Add("getter");
            if (code != null && method.ReturnType == typeof(void) && code.Throws) flags.Add("throws");
            if (method.ReturnType == method.DeclaringType) flags.Add("own-type");
            // Extension methods are for the code of others.
            if (method.IsStatic && Loaded.HasAttribute(home, method, typeof(ExtensionAttribute))) flags.Add("extension");
            Texts(answer, "flags", flags, flags.Count);
            Texts(answer, "interfaces", interfaces, MaxInterfaces);
            Texts(answer, "held", statics.Held, MaxHeld);
            answer.Raw(statics.UsesAssignable ? ",\"usesStatics\":true}" : "}");
            return answer;
        }

        static void Parameter(JsonWriter answer, ParameterInfo parameter)
        {
            answer.Raw("{\"name\":").Text(Cut(parameter.Name, MaxName));
            answer.Raw(",\"type\":").Text(TypeText.Of(parameter.ParameterType));
            bool isRest = TypeMethods.IsRest(parameter);
            answer.Raw(isRest ? ",\"isRest\":true}" : parameter.IsOptional ? ",\"isOptional\":true}" : "}");
        }

        // True if the framework or a library declares it, as `Execute`, `Compare`, `OnPaint`. Adds the app's interfaces
        // that declare it.
        bool IsDeclaredOutside(Type home, MethodInfo method, string key, List<string> interfaces)
        {
            Type first = method.GetBaseDefinition().DeclaringType;
            if (first != null && first != home && !shown.IsOfApp(first)) return true;
            foreach (Type each in home.GetInterfaces())
            {
                if (!DeclaredBy(each).Contains(key)) continue;
                if (!shown.IsOfApp(each)) return true;
                interfaces.Add(Cut(TypeWords.Name(each), MaxName));
            }
            return false;
        }

        HashSet<string> DeclaredBy(Type type)
        {
            return declared.GetValue(type, each =>
            {
                var keys = new HashSet<string>();
                foreach (MethodInfo method in each.GetMethods(Declared))
                    if (Loaded.CanRead(each, method)) keys.Add(method.Name + "/" + method.GetParameters().Length);
                return keys;
            });
        }

        static void Texts(JsonWriter answer, string name, IEnumerable<string> texts, int max)
        {
            int count = 0;
            foreach (string text in texts)
                if (count < max) answer.Raw(count++ == 0 ? ",\"" + name + "\":[" : ",").Text(text);
            if (count > 0) answer.Raw(']');
        }

        static string Cut(string text, int max)
        {
            return text == null || text.Length <= max ? text : text.Substring(0, max);
        }
    }
}
