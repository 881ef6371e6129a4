using System;
using System.Collections.Generic;
using Substrate.Budget;
using Substrate.State;

namespace Substrate.Act
{
    // One round through all that the state shows, in small pieces: first which methods there are, the nearest objects
    // before others; then what they do. Holds types of the app: it is dropped when it is done.
    sealed class ActionDiscoveryPass
    {
        const int MaxActions = 300;
        // What is worth little is shown where there is not even this much else.
        const int MaxWithMinor = 60;
        // However many types there are, each may show this many actions before others had their turn.
        const int Share = 24;
        // The same method of the same type is worth little where it is met once more.
        const int MaxPlaces = 3;
        // Types at one place whose methods are put together.
        const int MaxTypes = 8;
        const int MaxShape = 1500;
        // What is not told after so many pieces of time stays unknown.
        const int MaxCuts = 20;

        readonly TypeMethods methods;
        readonly Tokens tokens;
        readonly List<Place> places = new List<Place>();
        readonly HashSet<Type> shownTypes = new HashSet<Type>();
        // What was told before, by the key of the candidate: it stands until it is proven anew.
        readonly Dictionary<string, string> told;
        readonly Dictionary<string, string> proven = new Dictionary<string, string>();
        readonly List<Candidate> found = new List<Candidate>();
        readonly Effects effects;
        List<Candidate> chosen = new List<Candidate>();
        // The same, setters first: what those do is soon proven.
        List<Candidate> proving = new List<Candidate>();
        int nextPlace;
        int nextEffect;
        // How often the time was over while the next one was looked at.
        int cuts;

        // `isSame`: no assembly was loaded since these effects were proven.
        internal ActionDiscoveryPass(TypeMethods methods, IList<Holder> holders, Tokens tokens, Effects effects,
            Dictionary<string, string> told, bool isSame)
        {
            this.methods = methods;
            this.tokens = tokens;
            this.told = told;
            this.effects = effects;
            if (isSame) foreach (KeyValuePair<string, string> each in told) proven[each.Key] = each.Value;
            AddPlaces(holders);
        }

        void AddPlaces(IList<Holder> holders)
        {
            var byShape = new Dictionary<string, Place>();
            foreach (Holder holder in holders)
            {
                if (holder.Type == null || holder.Shape.Length > MaxShape) continue;
                string key = (holder.IsStatic ? "static " : "") + holder.Shape;
                Place place;
                if (!byShape.TryGetValue(key, out place))
                {
                    byShape[key] = place = new Place(holder.Shape, holder.IsStatic);
                    places.Add(place);
                }
                if (place.Types.Count < MaxTypes && !place.Types.Contains(holder.Type)) place.Types.Add(holder.Type);
                if (!holder.IsStatic) AddShown(holder.Type);
            }
            Sorting.Stable(places, place => place.Distance);
        }

        void AddShown(Type type)
        {
            if (!shownTypes.Add(type)) return;
            for (Type at = type.BaseType; at != null; at = at.BaseType) shownTypes.Add(at);
            foreach (Type each in type.GetInterfaces()) shownTypes.Add(each);
        }

        // True: more is known than before of which methods there are.
        internal bool List(Pace pace)
        {
            if (IsListed) return false;
            do AddAll(places[nextPlace++]);
            while (!IsListed && (pace.Go() || found.Count == 0));
            chosen = Chosen();
            proving = new List<Candidate>(chosen);
            Sorting.Stable(proving, candidate => candidate.IsProperty ? 0 : 1);
            return true;
        }

        internal bool IsListed
        {
            get
            {
                if (nextPlace == places.Count) return true;
                // There is no room for what else would be found.
                return found.Count >= MaxWithMinor && places[nextPlace].IsMinor;
            }
        }

        // Goes on proving effects.
        internal void Prove(Pace pace)
        {
            if (!IsListed) return;
            effects.WorkUntil(pace);
            while (nextEffect < proving.Count)
            {
                Candidate candidate = proving[nextEffect];
                if (!proven.ContainsKey(candidate.Key))
                {
                    string effect = candidate.Effect(effects);
                    if (effects.IsCut && ++cuts < MaxCuts) return;
                    proven[candidate.Key] = effect;
                }
                cuts = 0;
                nextEffect++;
                if (effects.IsCut) return;
            }
        }

        internal bool IsDone
        {
            get { return IsListed && nextEffect == proving.Count; }
        }

        internal bool HasProvenSetters
        {
            get { return IsListed && (IsDone || !proving[nextEffect].IsProperty); }
        }

        internal List<ActionInfo> Actions()
        {
            var actions = new List<ActionInfo>(chosen.Count);
            foreach (Candidate candidate in chosen)
            {
                string effect;
                if (!proven.TryGetValue(candidate.Key, out effect)) told.TryGetValue(candidate.Key, out effect);
                if (effect != "none" || !candidate.BringsNothing) actions.Add(candidate.Info(effect));
            }
            return actions;
        }

        // Only what belongs to methods that are still there.
        internal Dictionary<string, string> Proven()
        {
            var kept = new Dictionary<string, string>();
            foreach (Candidate candidate in chosen)
            {
                string effect;
                if (proven.TryGetValue(candidate.Key, out effect)) kept[candidate.Key] = effect;
            }
            return kept;
        }

        void AddAll(Place place)
        {
            var byName = new Dictionary<string, Candidate>();
            foreach (Type type in place.Types)
                foreach (Signature signature in methods.Of(type, tokens))
                {
                    if (signature.Method.IsStatic != place.IsStatic || !signature.CanBeGiven(shownTypes)) continue;
                    Candidate candidate;
                    if (!byName.TryGetValue(signature.Name, out candidate))
                    {
                        byName[signature.Name] = candidate = new Candidate(place, signature.Name);
                        found.Add(candidate);
                    }
                    candidate.Add(type, signature);
                }
        }

        // The most useful; a type that is met in many places gives way to others, but what room is left is used.
        List<Candidate> Chosen()
        {
            var all = new List<Candidate>(found);
            Sorting.Stable(all, candidate => candidate.Rank);
            var first = new List<Candidate>();
            var waiting = new List<Candidate>();
            var minor = new List<Candidate>();
            var byMethod = new Dictionary<string, int>();
            var byType = new Dictionary<string, int>();
            foreach (Candidate candidate in all)
            {
                string type = candidate.Types[0].AssemblyQualifiedName ?? candidate.Types[0].Name;
                bool isWorthy = !candidate.IsMinor && Count(byMethod, candidate.Name + " " + type) <= MaxPlaces;
                if (!isWorthy) minor.Add(candidate);
                else (Count(byType, type) <= Share ? first : waiting).Add(candidate);
            }
            first.AddRange(waiting);
            if (first.Count > MaxActions) return first.GetRange(0, MaxActions);
            first.AddRange(minor.GetRange(0, Math.Min(minor.Count, Math.Max(0, MaxWithMinor - first.Count))));
            return first;
        }

        static int Count(Dictionary<string, int> counts, string what)
        {
            int before;
            counts.TryGetValue(what, out before);
            return counts[what] = before + 1;
        }
    }

    static class Sorting
    {
        // What ranks the same keeps its order, which List.Sort does not promise.
        internal static void Stable<T>(List<T> list, Func<T, int> rank)
        {
            var keys = new long[list.Count];
            for (int at = 0; at < keys.Length; at++) keys[at] = ((long)rank(list[at]) << 32) + at;
            T[] items = list.ToArray();
            Array.Sort(keys, items);
            list.Clear();
            list.AddRange(items);
        }
    }
}
