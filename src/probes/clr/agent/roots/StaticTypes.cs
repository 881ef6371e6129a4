using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using Substrate.Meta;
using Substrate.State;

namespace Substrate.Roots
{
    /// <summary>
    /// The static fields of the app's types. A type counts from the moment on when its initialiser has run: those
    /// that wait for it are asked again now and then.
    /// </summary>
    sealed class StaticTypes : IFinder
    {
        const BindingFlags Statics = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic
            | BindingFlags.DeclaredOnly;
        const int AskAgainMs = 2000;
        const int BudgetMs = 4;
        readonly ConditionalWeakTable<Assembly, Listing> listings = new ConditionalWeakTable<Assembly, Listing>();
        readonly List<Found> found = new List<Found>();
        readonly Stopwatch sinceAsked = Stopwatch.StartNew();
        readonly List<WaitingType> waiting = new List<WaitingType>();
        int asked;

        public IEnumerable<Found> Find(bool fresh)
        {
            try
            {
                Look(fresh);
            }
            catch (Exception)
            {
                // What was found before stands.
            }
            return found;
        }

        void Look(bool fresh)
        {
            List<Type> candidates = NewTypes();
            bool isNew = candidates.Count > 0;
            bool isTime = asked > 0 || sinceAsked.ElapsedMilliseconds >= AskAgainMs;
            if (!isNew && !fresh && (waiting.Count == 0 || !isTime)) return;
            using (OwnMemory memory = Initialisers.Open())
            {
                foreach (Type type in candidates) waiting.Add(new WaitingType(type));
                AskAgain(memory, fresh || isNew);
            }
            found.RemoveAll(one => one.Target == null);
            // By name: the same at each start.
            found.Sort((left, right) => string.CompareOrdinal(left.Origin, right.Origin));
        }

        void AskAgain(OwnMemory memory, bool all)
        {
            Stopwatch watch = Stopwatch.StartNew();
            for (; asked < waiting.Count; asked++)
            {
                if (!all && (asked & 31) == 31 && watch.ElapsedMilliseconds >= BudgetMs) return;
                if (waiting[asked].Type == null || Take(memory, waiting[asked])) waiting[asked] = null;
            }
            waiting.RemoveAll(one => one == null);
            asked = 0;
            sinceAsked.Restart();
        }

        bool Take(OwnMemory memory, WaitingType candidate)
        {
            Type type = candidate.Type;
            if (type == null || !candidate.IsInUse(memory)) return false;
            found.Add(Found.Statics(type, Wishes.Simple(type), Wishes.WithOuter(type)));
            return true;
        }

        List<Type> NewTypes()
        {
            var types = new List<Type>();
            foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
                if (Owned.ByApp(assembly))
                    listings.GetValue(assembly, ignored => new Listing()).AddNew(assembly, types);
            return types;
        }

        /// <summary>The types of one assembly that were asked already.</summary>
        sealed class Listing
        {
            readonly HashSet<int> asked = new HashSet<int>();
            Loaded loaded;
            bool isDone;

            internal void AddNew(Assembly assembly, List<Type> types)
            {
                if (isDone || loaded == Loaded.Now) return;
                loaded = Loaded.Now;
                isDone = loaded.IsWhole(assembly);
                foreach (Type type in loaded.TypesOf(assembly) ?? Type.EmptyTypes)
                {
                    if (type == null || !asked.Add(type.MetadataToken)) continue;
                    if (Owned.ByApp(type) && HasState(type)) types.Add(type);
                }
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
                    // What a designer makes of resource files.
                    if (field.Name == "resourceMan") return false;
                    hasState |= !field.IsLiteral && Generated.Variable(field.Name) != null;
                }
                return hasState;
            }
            catch (Exception)
            {
                return false;
            }
        }
    }
}
