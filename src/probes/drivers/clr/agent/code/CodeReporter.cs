using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using System.Text;
using Substrate.Budget;
using Substrate.Health;
using Substrate.Json;
using Substrate.Meta;

namespace Substrate.Code
{
    // Reports the requested code: its instructions, the members they refer to, and the code that may run at each call.
    // It holds types of the app: it is dropped when there is no request.
    sealed class CodeReporter
    {
        const int MaxText = 2000;
        const int MaxCode = 6000;
        const int MaxVariables = 400;
        const int MaxHandlers = 60;
        const BindingFlags Any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance;
        readonly Tokens tokens;
        readonly TypeIds ids;
        readonly Targets targets;
        readonly Pace pace;
        readonly Dictionary<MethodBase, int> codes = new Dictionary<MethodBase, int>();
        readonly List<MethodBase> codeList = new List<MethodBase>();
        readonly Dictionary<string, int> members = new Dictionary<string, int>();
        readonly List<Reference> memberList = new List<Reference>();
        // Ids of fields and types.
        readonly Dictionary<MemberInfo, int> others = new Dictionary<MemberInfo, int>();
        readonly HashSet<int> sentMembers = new HashSet<int>();
        readonly HashSet<int> sentBodies = new HashSet<int>();
        JsonWriter memberOut;
        JsonWriter bodyOut;

        internal CodeReporter(Assembly[] assemblies, Tokens tokens, TypeIds ids, Func<Type, bool> isOfApp, Pace pace)
        {
            this.tokens = tokens;
            this.ids = ids;
            this.pace = pace;
            targets = new Targets(new Hierarchy(assemblies, tokens), isOfApp);
        }

        // The code that an object of exactly this type runs; null if there is none to analyse.
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

        // Writes `"members":[…],"bodies":[…]` of everything reported since Begin.
        internal void End(JsonWriter answer)
        {
            answer.Raw("\"members\":[").Raw(memberOut).Raw("],\"bodies\":[").Raw(bodyOut).Raw(']');
        }

        internal void BodyUnlessSent(int id)
        {
            if (!sentBodies.Contains(id)) Body(id);
        }

        internal void Body(long id)
        {
            if (id >= codeList.Count) return;
            sentBodies.Add((int)id);
            MethodCode code = MethodCode.Of(codeList[(int)id]);
            List<int> references = code == null ? null : ReferencesOf(code);
            JsonWriter answer = bodyOut.Raw(bodyOut.Length == 0 ? "" : ",").Raw("{\"id\":").Whole(id);
            if (references == null)
            {
                answer.Raw(",\"isOpaque\":true}");
                return;
            }
            foreach (int member in references) Member(member);
            MethodBase method = code.Method;
            ParameterInfo[] parameters = method.GetParameters();
            int arguments = parameters.Length + (method.IsStatic ? 0 : 1);
            answer.Raw(",\"code\":").Text(Convert.ToBase64String(code.Bytes));
            answer.Raw(",\"isStatic\":").Flag(method.IsStatic).Raw(",\"parameters\":").Whole(parameters.Length);
            answer.Raw(",\"variables\":").Whole(arguments + code.Locals.Count);
            answer.Raw(",\"stack\":").Whole(code.MaxStack).Raw(",\"handlers\":[");
            string separator = "";
            foreach (ExceptionHandlingClause clause in code.Handlers)
            {
                Handler(answer.Raw(separator), clause);
                separator = ",";
            }
            Numbers(answer.Raw(']'), "references", references);
            var handled = new HashSet<Type>();
            foreach (ParameterInfo parameter in parameters) AddForeign(handled, parameter.ParameterType, 0);
            Numbers(answer.Raw(",\"type\":").Whole(ids.Of(method.DeclaringType)), "handled", TypeNumbers(handled));
            var closures = new List<int>();
            foreach (LocalVariableInfo local in code.Locals)
                if (IsClosure(local.LocalType)) closures.Add(arguments + local.LocalIndex);
            Numbers(answer, "closures", closures);
            var notes = new List<string>();
            if (IsDisposable(handled)) notes.Add("\"disposable\"");
            if (IsClosure(method.DeclaringType)) notes.Add("\"closure\"");
            if (method.Name == ".cctor") notes.Add("\"initialiser\"");
            answer.Raw(",\"notes\":[").Raw(string.Join(",", notes.ToArray())).Raw("]}");
        }

        // A filter runs before its handler. Only a plain handler never runs without an exception.
        static void Handler(JsonWriter answer, ExceptionHandlingClause clause)
        {
            bool isFilter = clause.Flags == ExceptionHandlingClauseOptions.Filter;
            bool isPlain = clause.Flags == ExceptionHandlingClauseOptions.Clause;
            string watched = "[" + clause.TryOffset + "," + (clause.TryOffset + clause.TryLength) + ",";
            if (isFilter) answer.Raw(watched).Whole(clause.FilterOffset).Raw(",true,0],");
            answer.Raw(watched).Whole(clause.HandlerOffset).Raw(isFilter || isPlain ? ",true," : ",false,");
            answer.Whole(isPlain ? 0 : clause.HandlerOffset + clause.HandlerLength).Raw(']');
        }

        // The members that its instructions refer to, in order; null if they cannot be followed.
        internal List<int> ReferencesOf(MethodCode code)
        {
            bool isFar = code.Bytes.Length > MaxCode || code.MaxStack > MaxVariables
                || code.Locals.Count > MaxVariables || code.Handlers.Count > MaxHandlers;
            if (isFar) return null;
            try
            {
                var found = new List<int>();
                Type constrained = null;
                for (int at = 0; at < code.Bytes.Length; at += Il.Length(code.Bytes, at))
                {
                    int operation = Il.Operation(code.Bytes, at);
                    if (Il.Refers(operation))
                    {
                        int token = Il.Token(code.Bytes, at);
                        Reference reference = ReferenceTo(tokens.Member(code.Method, token), operation, constrained);
                        if (reference == null) return null;
                        found.Add(MemberNumber(reference));
                    }
                    constrained = operation == Op.Constrained
                        ? tokens.Member(code.Method, Il.Token(code.Bytes, at)) as Type : null;
                }
                return found;
            }
            catch (Exception discarded)
            {
                // The code is malformed, or refers to a missing member.
                Discarded.Count("CodeReporter.ReferencesOf", discarded);
                return null;
            }
        }

        // Null if it cannot be determined. Throws where a type that it involves is missing.
        static Reference ReferenceTo(MemberInfo member, int operation, Type constrained)
        {
            bool isField = operation >= Op.Ldfld && operation <= Op.Stsfld;
            var field = member as FieldInfo;
            if (isField) return field == null || field.FieldType == null ? null : new Reference(member, true, null);
            if (Il.IsOnType(operation)) return new Reference(member as Type ?? typeof(object), true, null);
            var method = member as MethodBase;
            bool isKnown = method != null && method.DeclaringType != null
                && (method.CallingConvention & CallingConventions.VarArgs) != CallingConventions.VarArgs
                && method.GetParameters() != null && method.Name.Length + NameOf(method.DeclaringType).Length <= MaxText
                && (!StartsWork(method) || WorkOf(method) != null);
            if (!isKnown) return null;
            bool isExact = operation != Op.Callvirt && operation != Op.Ldvirtftn;
            return new Reference(method, isExact, operation == Op.Call || operation == Op.Callvirt ? constrained : null);
        }

        // The body of an iterator runs when somebody enumerates it; an async method starts its state machine: its work
        // is there.
        static bool StartsWork(MethodBase method)
        {
            Type type = method.DeclaringType;
            if (method.IsConstructor) return IsClosure(type) && typeof(IEnumerator).IsAssignableFrom(type);
            return method.Name == "Start" && method.IsGenericMethod
                && type.Name.IndexOf("MethodBuilder", StringComparison.Ordinal) >= 0;
        }

        static MethodInfo WorkOf(MethodBase method)
        {
            Type type = method.IsConstructor ? method.DeclaringType : method.GetGenericArguments()[0];
            return type.IsGenericParameter ? null : type.GetMethod("MoveNext", Any, null, Type.EmptyTypes, null);
        }

        // True for a type that a compiler made: `<>c__DisplayClass1_0`, `<Find>d__3`.
        static bool IsClosure(Type type)
        {
            return type != null && type.IsNested && type.Name.IndexOf('<') >= 0;
        }

        static bool IsDisposable(HashSet<Type> types)
        {
            foreach (Type type in types)
                if (typeof(IDisposable).IsAssignableFrom(type) && !typeof(IEnumerator).IsAssignableFrom(type)) return true;
            return false;
        }

        int MemberNumber(Reference reference)
        {
            string key = reference.Method == null ? reference.Member.MemberType + " " + OtherNumber(reference.Member)
                : Number(reference.Method) + (reference.IsExact ? " exact" : " ")
                    + (reference.Constrained == null ? "" : ids.Of(reference.Constrained).ToString());
            int id;
            if (members.TryGetValue(key, out id)) return id;
            memberList.Add(reference);
            return members[key] = memberList.Count - 1;
        }

        int OtherNumber(MemberInfo member)
        {
            int id;
            return others.TryGetValue(member, out id) ? id : others[member] = others.Count;
        }

        // Reports the code that may run, unless it was reported before, or there is no time.
        internal void Member(long id)
        {
            if (id >= memberList.Count || sentMembers.Contains((int)id)) return;
            Reference reference = memberList[(int)id];
            MethodBase method = reference.Method;
            bool isOfPlatform = reference.IsOfPlatform;
            List<MethodBase> found = isOfPlatform || method == null ? new List<MethodBase>() : targets.Of(reference, pace);
            if (found == null && !pace.Go()) return;
            sentMembers.Add((int)id);
            int? runs = method != null && StartsWork(method)
                ? MemberNumber(new Reference(WorkOf(method), true, null)) : (int?)null;
            if (runs != null) Member(runs.Value);
            Type owner = reference.Owner;
            JsonWriter answer = memberOut.Raw(memberOut.Length == 0 ? "" : ",").Raw("{\"id\":").Whole(id);
            answer.Raw(",\"owner\":").Text(NameOf(owner)).Raw(",\"name\":").Text(reference.Member.Name);
            if (reference.IsStatic) answer.Raw(",\"isStatic\":true,\"type\":").Whole(ids.Of(owner));
            if (isOfPlatform) answer.Raw(",\"isPlatform\":true");
            if (runs != null) answer.Raw(",\"runs\":").Whole(runs.Value);
            var handled = new HashSet<Type>();
            AddForeign(handled, reference.Brought, 0);
            AddForeign(handled, reference.Constrained, 0);
            Numbers(answer, "handled", TypeNumbers(handled));
            string traits = TraitsOf(reference, handled);
            if (traits.Length > 0) answer.Raw(",\"traits\":[").Raw(traits).Raw(']');
            if (method != null) MethodFacts(answer, reference);
            if (found == null) answer.Raw(",\"targets\":null");
            else Numbers(answer, "targets", found.ConvertAll(each => Number(each)));
            // The first touch of a type runs its initialiser, whose work includes setting its own static fields.
            bool isTouch = (reference.IsStatic || method is ConstructorInfo) && !Frameworks.Is(owner);
            ConstructorInfo initialiser = isTouch ? owner.TypeInitializer : null;
            if (initialiser != null) answer.Raw(",\"initialisers\":[").Whole(Number(initialiser)).Raw(']');
            answer.Raw('}');
        }

        void MethodFacts(JsonWriter answer, Reference reference)
        {
            MethodBase method = reference.Method;
            if (method.IsConstructor || reference.Brought == typeof(void)) answer.Raw(",\"isVoid\":true");
            string[] letters = Array.ConvertAll(method.GetParameters(), each => "\"" + LettersOf(each) + "\"");
            if (letters.Length > 0) answer.Raw(",\"parameters\":[").Raw(string.Join(",", letters)).Raw(']');
            bool isGetter = method.IsSpecialName && method.GetParameters().Length == 0
                && !Frameworks.Is(method.DeclaringType)
                && (!method.IsVirtual || method.IsFinal || method.DeclaringType.IsSealed);
            string given = isGetter ? tokens.FieldGivenBy(method) : null;
            if (given != null) answer.Raw(",\"gives\":").Text(given);
            if (reference.IsOfPlatform) Numbers(answer, "meets", TypeNumbers(TypesMet(reference)));
            if (!reference.IsOfPlatform || !IsOpen(reference)) answer.Raw(",\"isOpen\":false");
        }

        // See code-facts.ts.
        static string TraitsOf(Reference reference, HashSet<Type> handled)
        {
            var traits = new List<string>();
            Type owner = reference.Owner;
            var field = reference.Member as FieldInfo;
            Type type = field == null ? owner : field.FieldType;
            if (typeof(Delegate).IsAssignableFrom(type)) traits.Add("\"delegate\"");
            if (IsClosure(owner)) traits.Add("\"closure\"");
            if (IsDisposable(handled)) traits.Add("\"disposable\"");
            if (field != null)
            {
                bool isScalar = type.IsPrimitive || type == typeof(string) || type.IsValueType && type.Namespace == "System";
                if (IsClosure(type)) traits.Add("\"closure-typed\"");
                if (field.IsInitOnly && isScalar && Frameworks.Is(owner)) traits.Add("\"constant\"");
                if (!IsClosure(owner) && MayBeLazy(type)) traits.Add("\"lazy\"");
            }
            else if (reference.IsOfPlatform)
            {
                if (typeof(Exception).IsAssignableFrom(owner)) traits.Add("\"exception\"");
                if (typeof(IEnumerator).IsAssignableFrom(owner)) traits.Add("\"enumerator\"");
                if (owner.IsArray) traits.Add("\"array\"");
            }
            return string.Join(",", traits.ToArray());
        }

        // True if its enumeration may query a database, or empty a queue.
        static bool MayBeLazy(Type type)
        {
            return type.IsInterface && (type.Name.StartsWith("IEnumerable", StringComparison.Ordinal)
                || type.Name.IndexOf("Queryable", StringComparison.Ordinal) > 0);
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

        // `System.Collections.Generic.List`, without type arguments.
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

        // The types outside the framework whose objects a framework call can reach, as far as its signature names them.
        static HashSet<Type> TypesMet(Reference reference)
        {
            var types = new HashSet<Type>();
            MethodBase method = reference.Method;
            AddForeign(types, method.DeclaringType, 0);
            AddForeign(types, reference.Constrained, 0);
            if (method.IsGenericMethod)
                foreach (Type argument in method.GetGenericArguments()) AddForeign(types, argument, 0);
            return types;
        }

        // Adds the type and its type arguments, as far as they are not the framework's.
        static void AddForeign(HashSet<Type> types, Type type, int depth)
        {
            if (type == null || depth > 4) return;
            if (type.HasElementType)
            {
                AddForeign(types, type.GetElementType(), depth + 1);
                return;
            }
            if (type.IsGenericType)
                foreach (Type argument in type.GetGenericArguments()) AddForeign(types, argument, depth + 1);
            if (!type.IsGenericParameter && !type.IsEnum && !type.IsPrimitive && !Frameworks.Is(type)) types.Add(type);
        }

        // True if it may reach any object that the code uses.
        static bool IsOpen(Reference reference)
        {
            MethodBase method = reference.Method;
            bool isOpen = method.DeclaringType == typeof(object) && method.Name != ".ctor" && method.Name != "GetType"
                && reference.Constrained == null || method.DeclaringType.IsInterface;
            foreach (ParameterInfo parameter in method.GetParameters()) isOpen |= IsOpen(parameter.ParameterType);
            return isOpen;
        }

        // True if any object may be passed as such a type.
        static bool IsOpen(Type type)
        {
            if (type.HasElementType) type = type.GetElementType();
            return type == typeof(object) || type.IsInterface || type.IsGenericType
                && type.GetGenericArguments()[0] == typeof(object);
        }

        // Reports the methods that the framework may call on objects of the type or its subtypes.
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

        // Writes nothing for an empty list.
        static void Numbers(JsonWriter answer, string name, List<int> numbers)
        {
            if (numbers.Count > 0) Numbers(answer.Raw(",\"" + name + "\":"), numbers);
        }

        static void Numbers(JsonWriter answer, List<int> numbers)
        {
            answer.Raw('[');
            for (int at = 0; at < numbers.Count; at++) answer.Raw(at == 0 ? "" : ",").Whole(numbers[at]);
            answer.Raw(']');
        }
    }

    // A member that an instruction refers to: a method, a field or a type.
    sealed class Reference
    {
        internal readonly MemberInfo Member;
        // Null if it is none.
        internal readonly MethodBase Method;
        // True if only the method of this type is meant: constructors, `base.X()`, static methods.
        internal readonly bool IsExact;
        // The type whose method generic code calls; null if it is that of the method.
        internal readonly Type Constrained;

        internal Reference(MemberInfo member, bool isExact, Type constrained)
        {
            Member = member;
            Method = member as MethodBase;
            IsExact = isExact;
            Constrained = constrained;
        }

        internal Type Owner
        {
            get { return Member as Type ?? Member.DeclaringType; }
        }

        internal bool IsStatic
        {
            get
            {
                var field = Member as FieldInfo;
                return field == null ? Method != null && Method.IsStatic : field.IsStatic;
            }
        }

        // The type of its result, or of the object that it makes.
        internal Type Brought
        {
            get
            {
                var field = Member as FieldInfo;
                var method = Member as MethodInfo;
                return field != null ? field.FieldType : method != null ? method.ReturnType : Owner;
            }
        }

        // True if its effect is known by its name, in src/probes/drivers/clr/clr-platform.ts.
        internal bool IsOfPlatform
        {
            get
            {
                return Method != null && (Frameworks.Is(Owner) || typeof(Delegate).IsAssignableFrom(Owner));
            }
        }
    }
}
