using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using Substrate.Budget;
using Substrate.Health;
using Substrate.Meta;
using Substrate.Read;
using Substrate.State;

namespace Substrate.Roots
{
    // Finds the static fields of the app's types, and the singletons in them. A type counts as soon as its initialiser
    // has run; the others are checked again every two seconds.
    sealed class StaticTypes : IFinder
    {
        const BindingFlags Statics = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic
            | BindingFlags.DeclaredOnly;
        const int AskAgainMs = 2000;
        readonly ConditionalWeakTable<Assembly, Listing> listings = new ConditionalWeakTable<Assembly, Listing>();
        readonly List<RootCandidate> found = new List<RootCandidate>();
        // The types among them that hold their singleton in a field.
        readonly List<RootCandidate> withSingleton = new List<RootCandidate>();
        readonly Pace pace;
        readonly Stopwatch sinceAsked = Stopwatch.StartNew();
        readonly List<WaitingType> waiting = new List<WaitingType>();
        int asked;

        internal StaticTypes(Pace pace)
        {
            this.pace = pace;
        }

        public IEnumerable<RootCandidate> Find(bool fresh)
        {
            try
            {
                Search(fresh);
            }
            catch (Exception discarded)
            {
                // The roots found before stay.
                Discarded.Count("StaticTypes.Find", discarded);
            }
            var roots = new List<RootCandidate>(Singletons());
            roots.AddRange(found);
            return roots;
        }

        IEnumerable<RootCandidate> Singletons()
        {
            foreach (RootCandidate holder in withSingleton)
            {
                var type = holder.Target as Type;
                FieldInfo field = type == null ? null : FieldAccess.Statics(type).Find(SlotNames.IsSingleton);
                object single = field == null ? null : FieldAccess.Value(field, null);
                if (single != null && Ownership.Of(single.GetType()) != Owner.Library)
                    yield return RootCandidate.Object("single", type, null, null, single);
            }
        }

        void Search(bool fresh)
        {
            bool isTime = fresh || asked > 0 || sinceAsked.ElapsedMilliseconds >= AskAgainMs;
            List<Assembly> unlisted = Unlisted();
            if (unlisted.Count == 0 && (waiting.Count == 0 || !isTime)) return;
            using (OwnMemory memory = Initialisers.Open())
            {
                if (isTime) AskAgain(memory);
                // Assemblies are listed one after the other, so that something is found even if time runs out.
                foreach (Assembly assembly in unlisted)
                    foreach (Type type in ListingOf(assembly).New(assembly, pace))
                    {
                        var candidate = new WaitingType(type);
                        if (!Take(memory, candidate)) waiting.Add(candidate);
                    }
            }
            found.RemoveAll(one => one.Target == null);
            withSingleton.RemoveAll(one => one.Target == null);
            // An object that several roots hold is shown at the first one: the main type is where a person expects it.
            // The others are sorted by name: the same order at each start.
            found.Sort(ByName);
            withSingleton.Sort(ByName);
            object main = Ownership.EntryType;
            int at = found.FindIndex(one => one.Target == main);
            if (at <= 0) return;
            found.Insert(0, found[at]);
            found.RemoveAt(at + 1);
        }

        static int ByName(RootCandidate left, RootCandidate right)
        {
            return string.CompareOrdinal(left.Type, right.Type);
        }

        void AskAgain(OwnMemory memory)
        {
            for (; asked < waiting.Count; asked++)
            {
                if ((asked & 31) == 31 && !pace.Go()) return;
                WaitingType one = waiting[asked];
                if (one != null && (one.Type == null || Take(memory, one))) waiting[asked] = null;
            }
            waiting.RemoveAll(one => one == null);
            asked = 0;
            sinceAsked.Restart();
        }

        bool Take(OwnMemory memory, WaitingType candidate)
        {
            Type type = candidate.Type;
            if (type == null || !candidate.IsInUse(memory)) return false;
            RootCandidate statics = RootCandidate.Statics(type);
            found.Add(statics);
            if (FieldAccess.Statics(type).Exists(SlotNames.IsSingleton)) withSingleton.Add(statics);
            return true;
        }

        List<Assembly> Unlisted()
        {
            var unlisted = new List<Assembly>();
            foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
                if (Ownership.Of(assembly) == Owner.App && !ListingOf(assembly).IsDone) unlisted.Add(assembly);
            return unlisted;
        }

        Listing ListingOf(Assembly assembly)
        {
            return listings.GetValue(assembly, ignored => new Listing());
        }

        // The types of one assembly that were checked already.
        sealed class Listing
        {
            readonly HashSet<int> asked = new HashSet<int>();
            Loaded loaded;
            bool isWhole;

            // True if no type is left to check until another assembly is loaded.
            internal bool IsDone
            {
                get { return isWhole || loaded == Loaded.Now; }
            }

            internal IEnumerable<Type> New(Assembly assembly, Pace pace)
            {
                Loaded now = Loaded.Now;
                foreach (Type type in now.TypesOf(assembly) ?? Type.EmptyTypes)
                {
                    if (type == null || asked.Contains(type.MetadataToken)) continue;
                    if (!pace.Go()) yield break;
                    asked.Add(type.MetadataToken);
                    if (Ownership.IsOfAppOrProxy(type) && HasState(type)) yield return type;
                }
                loaded = now;
                isWhole = loaded.IsWhole(assembly);
            }
        }

        static bool HasState(Type type)
        {
            try
            {
                if (type.IsEnum || type.ContainsGenericParameters || type.Name.IndexOf('<') >= 0) return false;
                if (type.BaseType != null && type.BaseType.Name == "ApplicationSettingsBase") return false;
                bool hasState = false;
                foreach (FieldInfo field in type.GetFields(Statics))
                {
                    // The designer generates this field for resource files.
                    if (field.Name == "resourceMan") return false;
                    hasState |= !field.IsLiteral && Generated.Variable(field.Name) != null;
                }
                return hasState;
            }
            catch (Exception discarded)
            {
                Discarded.Count("StaticTypes.HasState", discarded);
                return false;
            }
        }
    }

    // A type that the app does not seem to use yet. Held weakly, so that it can be unloaded.
    sealed class WaitingType
    {
        readonly WeakReference type;
        // Reading a type looks like using it, so that the runtime's mark has no meaning any more.
        bool wasRead;

        internal WaitingType(Type type)
        {
            this.type = new WeakReference(type);
        }

        // Null if it was unloaded.
        internal Type Type
        {
            get { return (Type)type.Target; }
        }

        // True if its initialiser has run; or if it has none, and was used or has a value.
        internal bool IsInUse(OwnMemory memory)
        {
            try
            {
                return Asked(memory);
            }
            catch (Exception discarded)
            {
                // A type in its members is missing.
                Discarded.Count("StaticTypes.IsInUse", discarded);
                return false;
            }
        }

        bool Asked(OwnMemory memory)
        {
            Type of = Type;
            if (of == null || !Initialisers.HaveRun(memory, of)) return false;
            if (of.TypeInitializer != null || !wasRead && Initialisers.IsMarked(memory, of)) return true;
            wasRead = true;
            foreach (FieldInfo field in FieldAccess.Statics(of))
                if (!field.IsLiteral && HasValue(FieldAccess.Value(field, null))) return true;
            return false;
        }

        // True if it differs from the initial value. A struct of the app is not compared: that is code of its own.
        static bool HasValue(object value)
        {
            if (!(value is ValueType)) return value != null;
            Type type = value.GetType();
            bool isPlain = type.IsPrimitive || type.IsEnum;
            if (!isPlain && (type.IsGenericType || Ownership.Of(type) != Owner.Framework)) return false;
            return !value.Equals(Activator.CreateInstance(type));
        }
    }
}
