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
    // Reports the public methods and settable properties of the objects that the state shows to one daemon: each place,
    // type and method once, in small pieces. The daemon decides which of them are actions, and how they are called
    // (src/probes/insight/methods/).
    sealed class MethodReporter
    {
        // The fraction of the search's time that may be spent when all methods are listed. The rest is for work that
        // cannot be interrupted.
        const double ToList = 0.9;
        // The fraction for their effects: the capture waits for it, and it may come later.
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
        // The last report of each place, by shape.
        readonly Dictionary<string, Place> places = new Dictionary<string, Place>();
        int nextPlace;
        int version = int.MinValue;
        readonly HashSet<int> sentTypes = new HashSet<int>();
        // True when all requested methods are reported.
        bool isListed;
        int allCount;
        // The number of assemblies outside .NET itself.
        int assemblyCount = -1;
        int codeVersion;
        Tokens tokens;
        // Null while there is no request.
        CodeReporter code;

        sealed class Place
        {
            internal int Id;
            internal bool IsStatic;
            internal string Shape;
            // Filled only while places are reported.
            internal readonly List<Type> Types = new List<Type>();
            internal string Sent;
        }

        internal MethodReporter(IShown shown, Pace pace)
        {
            this.shown = shown;
            this.pace = pace;
            writer = new FactsWriter(shown, ids, sayable, definitions);
            methods = new TypeMethods(shown, writer, sayable);
            values = new ValueMaker(shown);
        }

        // A cheap check whether a request is worth it.
        internal bool HasNews
        {
            get
            {
                lock (key)
                    return version != shown.HoldersVersion || !IsListed
                        || AppDomain.CurrentDomain.GetAssemblies().Length != allCount;
            }
        }

        // True when the list will not grow: the pace gives the first list the time of a search.
        internal bool IsListed
        {
            get { return isListed; }
        }

        // `request` is a MethodsQuestion of method-catalog.ts; the answer is written without its end, see
        // method-facts.ts.
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
                CheckForNewTypes();
                pace.Next(ToList, true);
                var types = new JsonWriter();
                JsonWriter changed = version == shown.HoldersVersion ? null : Places(types);
                var written = new JsonWriter();
                JsonWriter asked = null;
                List<object> wanted = Asked(request, "types");
                int next = 0;
                long left = wanted.Count == 0 ? 0 : (long)request["enough"];
                while (next < wanted.Count && left > 0 && (next == 0 || pace.Go()))
                    left -= ListMethodsOf(written, (long)wanted[next++]);
                isListed = (next == wanted.Count || left <= 0) && changed == null;
                if (wanted.Count == 0 && changed == null) asked = ReportCode(request);
                object wantsStamp;
                request.TryGetValue("wantsStamp", out wantsStamp);
                bool isAll = false;
                string stamp = wanted.Count == 0 && true.Equals(wantsStamp) ? AssemblyHashes.OfLoaded(out isAll) : null;
                answer.Raw("{\"sequence\":").Whole(++sequence).Raw(",\"isReset\":").Flag(isReset);
                answer.Raw(",\"types\":[").Raw(types).Raw("],\"places\":");
                if (changed == null) answer.Raw("null");
                else answer.Raw(changed);
                answer.Raw(",\"methods\":[").Raw(written).Raw("],\"definitions\":[").Raw(definitions.Take());
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
            sentTypes.Clear();
            definitions.Forget();
            code = null;
            isListed = false;
            nextPlace = 0;
            version = int.MinValue;
        }

        // A newly loaded assembly may have types that override anything. Those of .NET itself do not, and reading
        // methods may load them.
        void CheckForNewTypes()
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

        // New places and current types; `types` gets the types that were not reported yet.
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
            // Objects come before static helpers: the time may be over before all is reported. The sort is stable.
            var nearness = new long[order.Count];
            for (int at = 0; at < nearness.Length; at++) nearness[at] = ((long)DistanceOf(order[at]) << 32) + at;
            Place[] nearest = order.ToArray();
            Array.Sort(nearness, nearest);
            JsonWriter changed = new JsonWriter().Raw("{\"changed\":[");
            JsonWriter ids = new JsonWriter();
            bool isFirst = true;
            foreach (Place place in nearest)
            {
                JsonWriter written = Written(place, types);
                if (written != null) changed.Raw(isFirst ? "" : ",").Raw(written);
                isFirst &= written == null;
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
            // An element is as near as its list or dictionary, as in the daemon's ranking.
            foreach (char character in place.Shape) if (character == '.') distance++;
            return distance;
        }

        // Null if it was reported before.
        JsonWriter Written(Place place, JsonWriter types)
        {
            string numbers = "";
            foreach (Type type in place.Types)
            {
                int id = ids.Of(type);
                numbers += (numbers.Length == 0 ? "" : ",") + id;
                if (sentTypes.Add(id)) writer.Type(types.Raw(types.Length == 0 ? "" : ","), type);
            }
            if (numbers == place.Sent) return null;
            place.Sent = numbers;
            JsonWriter answer = new JsonWriter().Raw("{\"id\":").Whole(place.Id).Raw(",\"shape\":").Text(place.Shape);
            answer.Raw(",\"isStatic\":").Flag(place.IsStatic);
            return answer.Raw(",\"isLarge\":false,\"types\":[").Raw(numbers).Raw("]}");
        }

        // Returns the number of methods.
        int ListMethodsOf(JsonWriter answer, long id)
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

        // Reports as much of the requested code as the time allows. Null if there is no request.
        JsonWriter ReportCode(Dictionary<string, object> request)
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
            // Numbers from before the reset are not valid any more.
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
                if (number != null && pace.Go()) code.BodyUnlessSent(number.Value);
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
                // A type stands for its static fields: it is no object.
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
