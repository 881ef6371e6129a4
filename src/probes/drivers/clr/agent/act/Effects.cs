using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Budget;
using Substrate.Meta;

namespace Substrate.Act
{
    // What a call of a method may change, proven from its instructions and those of everything it calls. Whatever
    // cannot be proven is unknown. One is made for each set of loaded assemblies: another may bring types that override
    // anything.
    sealed class Effects
    {
        // Levels, each worse than the one before.
        internal const int None = 0;
        // Writes fields of `this` and nothing else.
        internal const int Fields = 1;
        // Writes fields of `this` and changes what they hold: lists, dictionaries, arrays; or takes its lock.
        internal const int Own = 2;
        internal const int Unknown = 3;

        const int MaxDepth = 24;
        // Methods looked at for one answer: members of a large circle would be looked at again and again.
        const int MaxLooks = 600;

        readonly Tokens tokens;
        readonly Targets targets;
        readonly Dictionary<MethodBase, MethodFacts> facts = new Dictionary<MethodBase, MethodFacts>();
        // Below zero: under analysis, that deep in the chain of calls.
        readonly Dictionary<MethodBase, int> levels = new Dictionary<MethodBase, int>();
        Pace pace;
        bool isCut;
        // The outermost method that the last answer takes on trust, because it was under analysis itself.
        int trusted = int.MaxValue;
        int looks;

        internal Effects(Assembly[] assemblies, Tokens tokens, Func<Type, bool> isOfApp)
        {
            this.tokens = tokens;
            targets = new Targets(new Hierarchy(assemblies, tokens), isOfApp);
        }

        // What is asked after that is unknown for now; what was read by then is kept: the next piece gets further.
        internal void WorkUntil(Pace until)
        {
            pace = until;
            isCut = false;
        }

        internal bool IsCut
        {
            get { return isCut = isCut || !pace.Go(); }
        }

        // none, setter, own-state or unknown: of the method that an object of just this type runs.
        internal string Of(Type type, MethodInfo method)
        {
            if (IsCut) return "unknown";
            looks = 0;
            trusted = int.MaxValue;
            MethodBase run = method.IsVirtual ? targets.RunBy(type, method) : method;
            int level = run == null ? Unknown : LevelOf(run, 0);
            if (level == Unknown) return "unknown";
            if (level == None) return "none";
            return IsSetter(run) ? "setter" : "own-state";
        }

        // It puts what it is given into one field of its object, whatever is there, and does nothing else: to give it
        // the value from before, as the state showed it, undoes it. An object that was there may be shown nowhere any
        // more.
        bool IsSetter(MethodBase method)
        {
            ParameterInfo[] parameters = method.GetParameters();
            MethodFacts known = FactsOf(method);
            if (parameters.Length != 1 || known.Level > Fields || known.FieldFromArgument == null || known.WritesElse)
                return false;
            if (known.FieldsRead.Contains(known.FieldFromArgument)) return false;
            Type type = Nullable.GetUnderlyingType(parameters[0].ParameterType) ?? parameters[0].ParameterType;
            if (!type.IsEnum && !ScalarFromJson.Knows(type)) return false;
            foreach (Call call in known.Calls) if (OfCall(call, 0) != None) return false;
            return true;
        }

        int LevelOf(MethodBase method, int depth)
        {
            int found;
            if (levels.TryGetValue(method, out found))
            {
                if (found >= 0) return found;
                // A circle changes what its members change: what they do apart from it decides.
                trusted = Math.Min(trusted, -1 - found);
                return None;
            }
            if (depth > MaxDepth || looks++ > MaxLooks || IsCut) return Unknown;
            int outer = trusted;
            trusted = int.MaxValue;
            levels[method] = -1 - depth;
            int level = Judge(method, depth);
            // Good news that rests on a method still under analysis holds only if that turns out well.
            bool isSure = level == Unknown ? looks <= MaxLooks && !IsCut : trusted >= depth;
            if (isSure) levels[method] = level;
            else levels.Remove(method);
            trusted = Math.Min(isSure ? int.MaxValue : trusted, outer);
            return level;
        }

        int Judge(MethodBase method, int depth)
        {
            MethodFacts known = FactsOf(method);
            int level = known.Level;
            // What can be told without looking further comes first: most of what is unknown shows here.
            foreach (Call call in known.Calls)
                if (level < Unknown && Frameworks.Is(call.Method.DeclaringType))
                    level = Math.Max(level, FrameworkCalls.Level(call));
            if (level < Unknown && Contracts.MayDispose(known)) return Unknown;
            foreach (Type type in known.StaticsOf)
                if (level < Unknown) level = Math.Max(level, OfInitialiser(type, depth));
            foreach (Call call in known.Calls)
            {
                if (level == Unknown) return level;
                level = Math.Max(level, Frameworks.Is(call.Method.DeclaringType) ? OfContracts(call, known, depth)
                    : OfCall(call, depth));
            }
            return level;
        }

        // The first touch of a type runs its initialiser, which may do anything; to set its own static fields is its
        // work.
        int OfInitialiser(Type type, int depth)
        {
            if (Frameworks.Is(type)) return None;
            ConstructorInfo initialiser = type.TypeInitializer;
            return initialiser == null ? None : AsSeenFromOutside(LevelOf(initialiser, depth + 1), ValueOrigin.Other);
        }

        // `Equals`, `ToString`, enumerators and the like, which the framework calls on what it is given.
        int OfContracts(Call call, MethodFacts known, int depth)
        {
            int level = None;
            foreach (Type type in Contracts.TypesFor(call, known))
            {
                List<MethodBase> all = targets.ContractsOf(type, pace);
                if (all == null) return Unknown;
                foreach (MethodBase method in all)
                {
                    if (level == Unknown) return level;
                    level = Math.Max(level, AsSeenFromOutside(LevelOf(method, depth + 1), ValueOrigin.Other));
                }
            }
            return level;
        }

        int OfCall(Call call, int depth)
        {
            Type owner = call.Method.DeclaringType;
            if (Frameworks.Is(owner)) return FrameworkCalls.Level(call);
            if (typeof(Delegate).IsAssignableFrom(owner)) return FrameworkCalls.Level(call);
            int level = None;
            if (call.Method.IsStatic || call.Method.IsConstructor) level = OfInitialiser(owner, depth);
            List<MethodBase> all = targets.Of(call, pace);
            if (all == null) return Unknown;
            foreach (MethodBase method in all)
            {
                if (level == Unknown) return level;
                level = Math.Max(level, AsSeenFromOutside(LevelOf(method, depth + 1), call.Receiver));
            }
            return level;
        }

        // Fields of a fresh object are nobody's; those of any other object than `this` are somebody's.
        static int AsSeenFromOutside(int level, byte receiver)
        {
            if (level == None || receiver == ValueOrigin.This || receiver == ValueOrigin.Closure) return level;
            if (receiver == ValueOrigin.Part) return Math.Max(level, Fields);
            return (receiver == ValueOrigin.Fresh || receiver == ValueOrigin.Local) && level == Fields ? None : Unknown;
        }

        MethodFacts FactsOf(MethodBase method)
        {
            MethodFacts known;
            if (!facts.TryGetValue(method, out known)) facts[method] = known = Flow.Of(MethodCode.Of(method), tokens);
            return known;
        }
    }
}
