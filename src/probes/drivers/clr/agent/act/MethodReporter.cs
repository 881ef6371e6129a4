using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Budget;
using Substrate.Code;
using Substrate.Json;
using Substrate.Meta;
using Substrate.State;

namespace Substrate.Act
{
    // Tells one daemon of the public methods of the objects that the state shows, and of their properties that can be
    // set: each place, type and method once, in small pieces. Which of them are actions, and how they are called, is
    // decided there (src/probes/insight/methods/).
    sealed class MethodReporter
    {
        // Of the time of the search: what may be spent when all are listed. The rest is for what cannot be cut.
        const double ToList = 0.9;
        // For what they do: the capture waits for it, and it may come later.
        const double ToProve = 0.12;
        // What is farther away than so many others is not even looked at.
        const int MaxMethods = 2000;
        const int MaxTypes = 8;
        const string NoCode =
            "{\"isReset\":false,\"methods\":[],\"members\":[],\"bodies\":[],\"contracts\":[]}";
        const int MaxShape = 1500;

        readonly IShown shown;
        readonly Pace pace;
        readonly TypeIds ids = new TypeIds();
        readonly FactsWriter writer;
        readonly TypeMethods methods;
        readonly SayableTypes sayable = new SayableTypes();
        readonly TypeDefinitions definitions = new TypeDefinitions();
        readonly ValueMaker values;
        readonly object key = new object();
        long sequence;
        // By shape: what was told of each place.
        readonly Dictionary<string, Place> places = new Dictionary<string, Place>();
        int nextPlace;
        int version = int.MinValue;
        readonly HashSet<int> toldTypes = new HashSet<int>();
        readonly HashSet<int> toldMethods = new HashSet<int>();
        // Numbers of types whose methods are still to be told, the nearest first.
        readonly List<int> waiting = new List<int>();
        int nextWaiting;
        readonly HashSet<int> queued = new HashSet<int>();
        int methodCount;
        int allCount;
        // Of assemblies outside .NET itself.
        int assemblyCount = -1;
        int codeVersion;
        Tokens tokens;
        // Null while nobody asks.
        CodeReporter code;

        sealed class Place
        {
            internal int Id;
            internal bool IsStatic;
            internal string Shape;
            // Only while places are told.
            internal readonly List<Type> Types = new List<Type>();
            internal string Told;
        }

        internal MethodReporter(IShown shown, Pace pace)
        {
            this.shown = shown;
            this.pace = pace;
            writer = new FactsWriter(shown, ids, sayable, definitions);
            methods = new TypeMethods(shown, writer, sayable);
            values = new ValueMaker(shown);
        }

        // Cheap: whether it is worth asking.
        internal bool HasNews
        {
            get
            {
                lock (key)
                    return version != shown.HoldersVersion || !IsListed
                        || AppDomain.CurrentDomain.GetAssemblies().Length != allCount;
            }
        }

        // All is listed that will be: for the pace, which gives the first list the time of a search.
        internal bool IsListed
        {
            get { return version != int.MinValue && (waiting.Count == nextWaiting || methodCount >= MaxMethods); }
        }

        // `request`: {sequence, sayable, methods, bodies, members, contracts}; the answer without its end, see method-facts.ts.
        internal void Report(JsonWriter answer, Dictionary<string, object> request)
        {
            lock (key)
            {
                object last;
                request.TryGetValue("sequence", out last);
                bool isReset = sequence == 0 || !(last is long) || (long)last != sequence;
                if (isReset) Forget();
                object names;
                if (request.TryGetValue("sayable", out names)) sayable.Take(names);
                LookForCode();
                pace.Next(ToList, true);
                var types = new JsonWriter();
                JsonWriter changed = version == shown.HoldersVersion ? null : Places(types);
                var told = new JsonWriter();
                JsonWriter asked = null;
                int toldBefore = methodCount;
                while (!IsListed && (pace.Go() || methodCount == 0)) Tell(told);
                // What was asked for may have another number now.
                if (IsListed && methodCount == toldBefore) asked = TellCode(request);
                answer.Raw("{\"sequence\":").Whole(++sequence).Raw(",\"isReset\":").Flag(isReset);
                answer.Raw(",\"types\":[").Raw(types).Raw("],\"places\":");
                if (changed == null) answer.Raw("null");
                else answer.Raw(changed);
                answer.Raw(",\"methods\":[").Raw(told).Raw("],\"definitions\":[").Raw(definitions.Take());
                answer.Raw("],\"isListed\":").Flag(IsListed);
                answer.Raw(",\"codeVersion\":").Whole(codeVersion).Raw(",\"code\":");
                if (asked == null) answer.Raw(NoCode);
                else answer.Raw(asked);
            }
        }

        void Forget()
        {
            places.Clear();
            toldTypes.Clear();
            toldMethods.Clear();
            methods.Forget();
            definitions.Forget();
            code = null;
            waiting.Clear();
            nextWaiting = 0;
            queued.Clear();
            methodCount = 0;
            nextPlace = 0;
            version = int.MinValue;
        }

        // An assembly that was loaded may bring types that override anything. Those of .NET itself do not, and to look
        // at methods may load them.
        void LookForCode()
        {
            Assembly[] assemblies = AppDomain.CurrentDomain.GetAssemblies();
            if (assemblies.Length == allCount) return;
            allCount = assemblies.Length;
            int count = 0;
            foreach (Assembly assembly in assemblies) if (!Frameworks.Is(assembly)) count++;
            if (count == assemblyCount) return;
            assemblyCount = count;
            codeVersion++;
            tokens = new Tokens(Loaded.Refresh(assemblies));
            code = null;
            // Types that could not be looked at may be there now.
            foreach (int id in new List<int>(toldMethods))
            {
                Type type = ids.TypeOf(id);
                if (type == null || !methods.IsPartly(type)) continue;
                toldMethods.Remove(id);
                if (queued.Add(id)) waiting.Add(id);
            }
        }

        // What came and what is there now; also, in `types`, the types of which nothing was told.
        JsonWriter Places(JsonWriter types)
        {
            version = shown.HoldersVersion;
            var order = new List<Place>();
            foreach (Holder holder in shown.Holders)
            {
                if (holder.Type == null || holder.Shape.Length > MaxShape) continue;
                string shape = (holder.IsStatic ? "static " : "") + holder.Shape;
                Place place;
                if (!places.TryGetValue(shape, out place))
                    places[shape] = place = new Place
                    {
                        Id = nextPlace++, IsStatic = holder.IsStatic, Shape = holder.Shape,
                    };
                if (place.Types.Count == 0) order.Add(place);
                if (place.Types.Count < MaxTypes && !place.Types.Contains(holder.Type)) place.Types.Add(holder.Type);
            }
            // Objects before helpers without one: the time may be over before all is told. The order of equals stays.
            var nearness = new long[order.Count];
            for (int at = 0; at < nearness.Length; at++) nearness[at] = ((long)DistanceOf(order[at]) << 32) + at;
            Place[] nearest = order.ToArray();
            Array.Sort(nearness, nearest);
            JsonWriter changed = new JsonWriter().Raw("{\"changed\":[");
            JsonWriter ids = new JsonWriter();
            bool isFirst = true;
            foreach (Place place in nearest)
            {
                JsonWriter told = Written(place, types);
                if (told != null) changed.Raw(isFirst ? "" : ",").Raw(told);
                isFirst &= told == null;
                ids.Raw(ids.Length == 0 ? "" : ",").Whole(place.Id);
            }
            foreach (string shape in new List<string>(places.Keys))
                if (places[shape].Types.Count == 0) places.Remove(shape);
                else places[shape].Types.Clear();
            return changed.Raw("],\"order\":[").Raw(ids).Raw("]}");
        }

        static int DistanceOf(Place place)
        {
            int distance = place.IsStatic ? 2 : 0;
            // An element is as near as the list or map that it is in, as the daemon ranks it.
            foreach (char letter in place.Shape) if (letter == '.') distance++;
            return distance;
        }

        // Null: it is told.
        JsonWriter Written(Place place, JsonWriter types)
        {
            string numbers = "";
            foreach (Type type in place.Types)
            {
                int id = ids.Of(type);
                numbers += (numbers.Length == 0 ? "" : ",") + id;
                if (toldTypes.Add(id)) writer.Type(types.Raw(types.Length == 0 ? "" : ","), type);
                if (!toldMethods.Contains(id) && queued.Add(id)) waiting.Add(id);
            }
            if (numbers == place.Told) return null;
            place.Told = numbers;
            JsonWriter answer = new JsonWriter().Raw("{\"id\":").Whole(place.Id).Raw(",\"shape\":").Text(place.Shape);
            answer.Raw(",\"isStatic\":").Flag(place.IsStatic);
            return answer.Raw(",\"isLarge\":false,\"types\":[").Raw(numbers).Raw("]}");
        }

        void Tell(JsonWriter answer)
        {
            int id = waiting[nextWaiting++];
            queued.Remove(id);
            Type type = ids.TypeOf(id);
            if (type == null || !toldMethods.Add(id)) return;
            answer.Raw(answer.Length == 0 ? "" : ",").Raw("{\"type\":").Whole(id).Raw(",\"methods\":[");
            string separator = "";
            foreach (CallableMethod method in methods.LookAt(type, tokens))
            {
                answer.Raw(separator).Raw(method.Facts);
                method.Facts = null;
                separator = ",";
                methodCount++;
            }
            answer.Raw("]}");
        }

        // As much as there is time for of the code that is asked for. Null: nobody asks.
        JsonWriter TellCode(Dictionary<string, object> request)
        {
            List<object> keys = Asked(request, "methods");
            List<object> bodies = Asked(request, "bodies");
            List<object> members = Asked(request, "members");
            List<object> contracts = Asked(request, "contracts");
            if (keys.Count + bodies.Count + members.Count + contracts.Count == 0)
            {
                code = null;
                return null;
            }
            pace.AtMost(ToProve);
            bool isReset = code == null;
            if (isReset)
                code = new CodeReporter(AppDomain.CurrentDomain.GetAssemblies(), tokens, ids, shown.IsOfApp, pace);
            // Numbers of before stand for nothing any more.
            if (isReset) bodies = members = new List<object>();
            code.Begin();
            JsonWriter answer = new JsonWriter().Raw("{\"isReset\":").Flag(isReset).Raw(",\"methods\":[");
            string separator = "";
            for (int at = 0; at < keys.Count && (at == 0 || pace.Go()); at++)
            {
                var key = (List<object>)keys[at];
                Type type = ids.TypeOf((long)key[0]);
                List<CallableMethod> known = type == null ? null : methods.Known(type);
                int? number = null;
                if (known != null && (long)key[1] < known.Count) number = code.CodeOf(type, known[(int)(long)key[1]].Method);
                answer.Raw(separator).Raw('[').Whole((long)key[0]).Raw(',').Whole((long)key[1]).Raw(',');
                answer.Raw(number == null ? "null]" : number + "]");
                separator = ",";
                if (number != null && pace.Go()) code.BodyUnlessTold(number.Value);
            }
            for (int at = 0; at < members.Count && (at == 0 || pace.Go()); at++) code.Member((long)members[at]);
            var found = new JsonWriter();
            for (int at = 0; at < contracts.Count && (at == 0 || pace.Go()); at++)
                code.Contracts(found, (long)contracts[at]);
            for (int at = 0; at < bodies.Count && (at == 0 || pace.Go()); at++) code.Body((long)bodies[at]);
            code.End(answer.Raw("],"));
            return answer.Raw(",\"contracts\":[").Raw(found).Raw("]}");
        }

        static List<object> Asked(Dictionary<string, object> request, string what)
        {
            object asked;
            request.TryGetValue(what, out asked);
            return asked as List<object> ?? new List<object>();
        }

        // `request`: {methods: [[type, index]…], paths: […]}; see CallQuestion in method-catalog.ts.
        internal void Describe(JsonWriter answer, Dictionary<string, object> request)
        {
            lock (key)
            {
                foreach (object each in Asked(request, "methods"))
                {
                    var asked = (List<object>)each;
                    Type type = ids.TypeOf((long)asked[0]);
                    CallableMethod callable = type == null ? null : MethodOf(type, (long)asked[1]);
                    if (callable == null) continue;
                    foreach (ParameterInfo parameter in callable.Method.GetParameters())
                        definitions.MentionAll(parameter.ParameterType);
                }
                answer.Raw("{\"definitions\":[").Raw(definitions.Take()).Raw("],\"named\":[");
            }
            string separator = "";
            foreach (object path in Asked(request, "paths"))
            {
                object found = shown.Find((string)path);
                answer.Raw(separator);
                separator = ",";
                // A type stands where static fields are shown: no object.
                if (found == null || found is Type) answer.Raw("null");
                else Named(answer, found.GetType());
            }
            answer.Raw("]}");
        }

        static void Named(JsonWriter answer, Type type)
        {
            answer.Raw("{\"name\":").Text(TypeText.Of(type)).Raw(",\"lineage\":[");
            string separator = "";
            foreach (string each in TypeText.Lineage(type))
            {
                answer.Raw(separator).Text(each);
                separator = ",";
            }
            answer.Raw("]}");
        }

        CallableMethod MethodOf(Type type, long index)
        {
            List<CallableMethod> known = methods.Known(type);
            return known != null && index < known.Count ? known[(int)index] : null;
        }

        // `call`: {path, method, choices: [{type, index, signature, values} or {type, refusal}…]}.
        internal Outcome Invoke(Dictionary<string, object> call, Limit limit)
        {
            var path = (string)call["path"];
            object found = shown.Find(path);
            if (found == null) throw new NotDispatched("there is no " + path);
            var asType = found as Type;
            Type type = asType ?? found.GetType();
            Dictionary<string, object> choice = null;
            CallableMethod callable = null;
            lock (key)
            {
                long id = ids.Of(type);
                foreach (object each in (List<object>)call["choices"])
                    if ((long)((Dictionary<string, object>)each)["type"] == id) choice = (Dictionary<string, object>)each;
                if (choice != null && choice.ContainsKey("refusal")) throw new BadArgument((string)choice["refusal"]);
                if (choice != null) callable = MethodOf(type, (long)choice["index"]);
            }
            if (callable == null)
            {
                string what = TypeWords.A(type.FullName ?? type.Name);
                throw new NotDispatched(path + " is " + what + " and has no method " + call["method"]);
            }
            Plan[] plans = values.Plans(choice["values"], callable.Method.GetParameters());
            return new Invocation(shown, callable, (string)choice["signature"], plans, asType != null ? null : found, limit).Run();
        }
    }
}
