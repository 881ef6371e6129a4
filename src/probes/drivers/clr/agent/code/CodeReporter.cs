using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using System.Text;
using Substrate.Budget;
using Substrate.Json;
using Substrate.Meta;

namespace Substrate.Code
{
    // Tells of the code that it is asked for: what it writes and calls, and which code may run where it calls. Holds
    // types of the app: it is dropped when nobody asks.
    sealed class CodeReporter
    {
        const int MaxText = 2000;
        readonly Tokens tokens;
        readonly TypeIds ids;
        readonly Targets targets;
        readonly Pace pace;
        readonly Dictionary<MethodBase, int> codes = new Dictionary<MethodBase, int>();
        readonly List<MethodBase> codeList = new List<MethodBase>();
        readonly Dictionary<string, int> members = new Dictionary<string, int>();
        readonly List<Call> memberList = new List<Call>();
        readonly HashSet<int> toldMembers = new HashSet<int>();
        readonly HashSet<int> toldBodies = new HashSet<int>();
        JsonWriter memberOut;
        JsonWriter bodyOut;

        internal CodeReporter(Assembly[] assemblies, Tokens tokens, TypeIds ids, Func<Type, bool> isOfApp, Pace pace)
        {
            this.tokens = tokens;
            this.ids = ids;
            this.pace = pace;
            targets = new Targets(new Hierarchy(assemblies, tokens), isOfApp);
        }

        // The code that an object of just this type runs; null: there is none to be looked at.
        internal int? CodeOf(Type type, MethodInfo method)
        {
            MethodBase run = method.IsVirtual ? targets.RunBy(type, method) : method;
            return run == null ? (int?)null : Number(run);
        }

        int Number(MethodBase method)
        {
            int id;
            if (codes.TryGetValue(method, out id)) return id;
            codeList.Add(method);
            return codes[method] = codeList.Count - 1;
        }

        internal void Begin()
        {
            memberOut = new JsonWriter();
            bodyOut = new JsonWriter();
        }

        // `"members":[…],"bodies":[…]` of what was told since Begin.
        internal void End(JsonWriter answer)
        {
            answer.Raw("\"members\":[").Raw(memberOut).Raw("],\"bodies\":[").Raw(bodyOut).Raw(']');
        }

        internal void BodyUnlessTold(int id)
        {
            if (!toldBodies.Contains(id)) Body(id);
        }

        internal void Body(long id)
        {
            if (id >= codeList.Count) return;
            toldBodies.Add((int)id);
            CodeFacts facts = Flow.Of(MethodCode.Of(codeList[(int)id]), tokens);
            foreach (Call call in facts.Calls)
                if (call.Method.Name.Length + NameOf(call.Method.DeclaringType).Length > MaxText) facts = CodeFacts.Opaque;
            JsonWriter answer = bodyOut.Raw(bodyOut.Length == 0 ? "" : ",").Raw("{\"id\":").Whole(id);
            answer.Raw(",\"isOpaque\":").Flag(facts.IsOpaque).Raw(",\"writes\":[");
            string separator = "";
            foreach (CodeFacts.Write write in facts.Writes)
            {
                answer.Raw(separator).Raw("[\"").Raw(write.Kind).Raw("\",").Whole(write.Holder).Raw(',');
                answer.Whole(write.Value).Raw(',').Text(write.Field).Raw(']');
                separator = ",";
            }
            answer.Raw("],\"reads\":[");
            separator = "";
            foreach (string field in facts.Reads)
            {
                answer.Raw(separator).Text(field);
                separator = ",";
            }
            answer.Raw("],\"calls\":[");
            for (int at = 0; at < facts.Calls.Count; at++) WriteCall(answer.Raw(at == 0 ? "" : ","), facts.Calls[at], facts);
            Numbers(answer.Raw("],\"handled\":"), TypeNumbers(facts.Handled));
            var initialisers = new List<int>();
            foreach (Type type in facts.StaticsOf) AddInitialiser(initialisers, type);
            Numbers(answer.Raw(",\"initialisers\":"), initialisers);
            bool isDisposable = false;
            foreach (Type type in facts.Handled)
                isDisposable |= typeof(IDisposable).IsAssignableFrom(type) && !typeof(IEnumerator).IsAssignableFrom(type);
            answer.Raw(",\"notes\":[").Raw(isDisposable ? "\"disposable\"" : "");
            answer.Raw(isDisposable && facts.ReadsSequence ? "," : "");
            answer.Raw(facts.ReadsSequence ? "\"lazy-sequence\"]}" : "]}");
        }

        // The first touch of a type runs its initialiser; to set its own static fields is its work.
        void AddInitialiser(List<int> initialisers, Type type)
        {
            ConstructorInfo initialiser = Frameworks.Is(type) ? null : type.TypeInitializer;
            if (initialiser != null) initialisers.Add(Number(initialiser));
        }

        void WriteCall(JsonWriter answer, Call call, CodeFacts facts)
        {
            int id = MemberNumber(call);
            Member(id);
            answer.Raw("{\"member\":").Whole(id);
            if (call.Result >= 0 && call.Result < ValueOrigin.MaxCalls) answer.Raw(",\"result\":").Whole(call.Result);
            answer.Raw(",\"receiver\":").Whole(call.Receiver).Raw(",\"arguments\":[");
            for (int at = 0; at < call.Arguments.Length; at++)
                answer.Raw(at == 0 ? "" : ",").Whole(call.Arguments[at]);
            Numbers(answer.Raw("],\"meets\":"), call.IsOfPlatform ? TypeNumbers(TypesFor(call, facts)) : new List<int>());
            answer.Raw('}');
        }

        int MemberNumber(Call call)
        {
            string key = Number(call.Method) + (call.IsExact ? " exact" : " ")
                + (call.Constrained == null ? "" : ids.Of(call.Constrained).ToString());
            int id;
            if (members.TryGetValue(key, out id)) return id;
            memberList.Add(call);
            return members[key] = memberList.Count - 1;
        }

        // Which code may run: unless it is told, or there is no time to find out.
        internal void Member(long id)
        {
            if (id >= memberList.Count || toldMembers.Contains((int)id)) return;
            Call call = memberList[(int)id];
            MethodBase method = call.Method;
            Type owner = method.DeclaringType;
            bool isOfPlatform = call.IsOfPlatform;
            List<MethodBase> found = isOfPlatform ? new List<MethodBase>() : targets.Of(call, pace);
            if (found == null && !pace.Go()) return;
            toldMembers.Add((int)id);
            JsonWriter answer = memberOut.Raw(memberOut.Length == 0 ? "" : ",").Raw("{\"id\":").Whole(id);
            answer.Raw(",\"owner\":").Text(NameOf(owner)).Raw(",\"name\":").Text(method.Name);
            answer.Raw(",\"isStatic\":").Flag(method.IsStatic);
            answer.Raw(",\"isPlatform\":").Flag(isOfPlatform).Raw(",\"owners\":[");
            answer.Raw(isOfPlatform ? OwnersOf(owner) : "").Raw("],\"parameters\":[");
            string separator = "";
            foreach (ParameterInfo parameter in isOfPlatform ? method.GetParameters() : new ParameterInfo[0])
            {
                answer.Raw(separator).Text(LettersOf(parameter));
                separator = ",";
            }
            answer.Raw("],\"targets\":");
            if (found == null) answer.Raw("null");
            else Numbers(answer, found.ConvertAll(each => Number(each)));
            var initialisers = new List<int>();
            if (method.IsStatic || method.IsConstructor) AddInitialiser(initialisers, owner);
            Numbers(answer.Raw(",\"initialisers\":"), initialisers);
            answer.Raw('}');
        }

        static string OwnersOf(Type type)
        {
            var owners = new List<string>();
            if (typeof(Delegate).IsAssignableFrom(type)) owners.Add("\"delegate\"");
            if (typeof(Exception).IsAssignableFrom(type)) owners.Add("\"exception\"");
            if (typeof(IEnumerator).IsAssignableFrom(type)) owners.Add("\"enumerator\"");
            if (type.IsArray) owners.Add("\"array\"");
            return string.Join(",", owners.ToArray());
        }

        // See code-facts.ts.
        static string LettersOf(ParameterInfo parameter)
        {
            Type type = parameter.ParameterType;
            bool isWritten = type.IsByRef && (!parameter.IsIn || parameter.IsOut) || type.Name == "Span`1";
            bool isFunction = typeof(Delegate).IsAssignableFrom(type)
                ? type != typeof(Delegate) && type != typeof(MulticastDelegate)
                : type.IsInterface && type.Name.IndexOf("Comparer", StringComparison.Ordinal) >= 0;
            return (isFunction ? "f" : "") + (isWritten ? "w" : "") + (type.IsByRef ? "r" : "")
                + (type.IsPrimitive ? "p" : "") + (type == typeof(string) ? "s" : "");
        }

        // `System.Collections.Generic.List`: without what stands in angle brackets.
        static string NameOf(Type type)
        {
            string name = type.Namespace + "." + (type.DeclaringType == null ? "" : type.DeclaringType.Name + "+")
                + type.Name;
            var text = new StringBuilder();
            for (int at = 0; at < name.Length; at++)
            {
                if (name[at] != '`') text.Append(name[at]);
                else while (at + 1 < name.Length && char.IsDigit(name[at + 1])) at++;
            }
            return text.ToString();
        }

        // The types outside the framework whose objects a call of the framework may get hold of.
        static HashSet<Type> TypesFor(Call call, CodeFacts facts)
        {
            var types = new HashSet<Type>();
            if (facts.Handled.Count == 0) return types;
            MethodBase method = call.Method;
            CodeFacts.AddForeign(types, method.DeclaringType, 0);
            CodeFacts.AddForeign(types, call.Constrained, 0);
            if (method.IsGenericMethod)
                foreach (Type argument in method.GetGenericArguments()) CodeFacts.AddForeign(types, argument, 0);
            bool isOpen = method.DeclaringType == typeof(object) && method.Name != ".ctor" && method.Name != "GetType"
                && call.Constrained == null || method.DeclaringType.IsInterface;
            foreach (ParameterInfo parameter in method.GetParameters()) isOpen |= IsOpen(parameter.ParameterType);
            if (isOpen) types.UnionWith(facts.Handled);
            return types;
        }

        // Anything may be passed as such a type.
        static bool IsOpen(Type type)
        {
            if (type.HasElementType) type = type.GetElementType();
            return type == typeof(object) || type.IsInterface || type.IsGenericType
                && type.GetGenericArguments()[0] == typeof(object);
        }

        // What the framework may call on objects of the type or of those below it.
        internal void Contracts(JsonWriter answer, long id)
        {
            Type type = ids.TypeOf(id);
            List<MethodBase> found = type == null ? new List<MethodBase>() : targets.ContractsOf(type, pace);
            if (found == null && !pace.Go()) return;
            answer.Raw(answer.Length == 0 ? "" : ",").Raw("{\"type\":").Whole(id).Raw(",\"methods\":[[\"any\",");
            if (found == null) answer.Raw("null");
            else Numbers(answer, found.ConvertAll(each => Number(each)));
            answer.Raw("]]}");
        }

        List<int> TypeNumbers(IEnumerable<Type> types)
        {
            var numbers = new List<int>();
            foreach (Type type in types) numbers.Add(ids.Of(type));
            return numbers;
        }

        static void Numbers(JsonWriter answer, List<int> numbers)
        {
            answer.Raw('[');
            for (int at = 0; at < numbers.Count; at++) answer.Raw(at == 0 ? "" : ",").Whole(numbers[at]);
            answer.Raw(']');
        }
    }
}
