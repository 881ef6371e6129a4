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
        // All that was asked for is told.
        bool isListed;
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
            get { return isListed; }
        }

        // `request`: as MethodsQuestion of method-catalog.ts; the answer without its end, see method-facts.ts.
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
                List<object> wanted = Asked(request, "types");
                int next = 0;
                long left = wanted.Count == 0 ? 0 : (long)request["enough"];
                while (next < wanted.Count && left > 0 && (next == 0 || pace.Go()))
                    left -= Tell(told, (long)wanted[next++]);
                isListed = (next == wanted.Count || left <= 0) && changed == null;
                if (wanted.Count == 0 && changed == null) asked = TellCode(request);
                object wantsStamp;
                request.TryGetValue("wantsStamp", out wantsStamp);
                bool isAll = false;
                string stamp = wanted.Count == 0 && true.Equals(wantsStamp) ? AssemblyHashes.OfLoaded(out isAll) : null;
                answer.Raw("{\"sequence\":").Whole(++sequence).Raw(",\"isReset\":").Flag(isReset);
                answer.Raw(",\"types\":[").Raw(types).Raw("],\"places\":");
                if (changed == null) answer.Raw("null");
                else answer.Raw(changed);
                answer.Raw(",\"methods\":[").Raw(told).Raw("],\"definitions\":[").Raw(definitions.Take());
                answer.Raw("],\"stamp\":");
                if (stamp == null) answer.Raw("null");
                else answer.Raw("{\"files\":").Text(stamp).Raw(",\"loaded\":").Text(isAll ? stamp : "").Raw('}');
                answer.Raw(",\"codeVersion\":").Whole(codeVersion).Raw(",\"code\":");
                if (asked == null) answer.Raw(NoCode);
                else answer.Raw(asked);
            }
        }

        void Forget()
        {
            places.Clear();
            toldTypes.Clear();
            definitions.Forget();
            code = null;
            isListed = false;
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
            }
            if (numbers == place.Told) return null;
            place.Told = numbers;
            JsonWriter answer = new JsonWriter().Raw("{\"id\":").Whole(place.Id).Raw(",\"shape\":").Text(place.Shape);
            answer.Raw(",\"isStatic\":").Flag(place.IsStatic);
            return answer.Raw(",\"isLarge\":false,\"types\":[").Raw(numbers).Raw("]}");
        }

        // Gives how many methods there are.
        int Tell(JsonWriter answer, long id)
        {
            Type type = ids.TypeOf(id);
            answer.Raw(answer.Length == 0 ? "" : ",").Raw("{\"type\":").Whole(id).Raw(',');
            bool isWhole = true;
            if (type == null) answer.Raw("\"lineage\":[],\"isValue\":false,\"isEnum\":false");
            else writer.AboutType(answer, type);
            answer.Raw(",\"methods\":[");
            List<JsonWriter> found = type == null ? new List<JsonWriter>() : methods.FactsOf(type, tokens, out isWhole);
            for (int at = 0; at < found.Count; at++) answer.Raw(at == 0 ? "" : ",").Raw(found[at]);
            answer.Raw(isWhole ? "]}" : "],\"isPart\":true}");
            return found.Count;
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
                MethodInfo method = type == null ? null : methods.Find(type, (string)key[1], tokens);
                int? number = method == null ? null : code.CodeOf(type, method);
                answer.Raw(separator).Raw('[').Whole((long)key[0]).Raw(',').Text((string)key[1]).Raw(',');
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

        // `request`: {methods: [[type, key]…], paths: […]}; see CallQuestion in method-catalog.ts.
        internal void Describe(JsonWriter answer, Dictionary<string, object> request)
        {
            lock (key)
            {
                foreach (object each in Asked(request, "methods"))
                {
                    var asked = (List<object>)each;
                    Type type = ids.TypeOf((long)asked[0]);
                    MethodInfo method = type == null ? null : methods.Find(type, (string)asked[1], tokens);
                    if (method == null) continue;
                    foreach (ParameterInfo parameter in method.GetParameters())
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
                else
                {
                    answer.Raw("{\"name\":").Text(TypeText.Of(found.GetType()));
                    TypeText.WriteLineage(answer.Raw(",\"lineage\":"), found.GetType());
                    answer.Raw('}');
                }
            }
            answer.Raw("]}");
        }

        // `call`: {path, method, choices: [{type, key, signature, values} or {type, refusal}…]}.
        internal Outcome Invoke(Dictionary<string, object> call, Limit limit)
        {
            var path = (string)call["path"];
            object found = shown.Find(path);
            if (found == null) throw new NotDispatched("there is no " + path);
            var asType = found as Type;
            Type type = asType ?? found.GetType();
            Dictionary<string, object> choice = null;
            MethodInfo method = null;
            lock (key)
            {
                long id = ids.Of(type);
                foreach (object each in (List<object>)call["choices"])
                {
                    var one = (Dictionary<string, object>)each;
                    if ((long)one["type"] == id) choice = one;
                }
                if (choice != null && choice.ContainsKey("refusal")) throw new BadArgument((string)choice["refusal"]);
                if (choice != null) method = methods.Find(type, (string)choice["key"], tokens);
            }
            if (method == null)
            {
                string what = TypeWords.A(type.FullName ?? type.Name);
                throw new NotDispatched(path + " is " + what + " and has no method " + call["method"]);
            }
            Plan[] plans = values.Plans(choice["values"], method.GetParameters());
            object target = asType != null ? null : found;
            return new Invocation(shown, method, (string)choice["signature"], plans, target, limit).Run();
        }
    }
}
