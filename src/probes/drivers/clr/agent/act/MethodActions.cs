using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Budget;
using Substrate.Meta;
using Substrate.State;

namespace Substrate.Act
{
    // Public methods of the objects that the state shows, and their properties that can be set.
    sealed class MethodActions : IActionSource
    {
        internal const string Prefix = "method:";
        // Of the time of the search: what may be spent when all are listed. The rest is for what cannot be cut.
        const double ToList = 0.9;
        // For what they do: the capture waits for it, and it may come later.
        const double ToProve = 0.12;
        // Looks of one round; what is not told by then stays unknown.
        const int MaxLooks = 200;

        readonly IShown shown;
        readonly Pace pace;
        readonly TypeMethods methods;
        readonly Coerce coerce;
        readonly object key = new object();
        IList<ActionInfo> last = new List<ActionInfo>();
        Dictionary<string, string> proven = new Dictionary<string, string>();
        int version = int.MinValue;
        int allCount;
        // Of assemblies outside .NET itself.
        int assemblyCount;
        int looks;
        bool isListed;
        // Null when all is told.
        ActionDiscoveryPass round;

        internal MethodActions(IShown shown, Pace pace)
        {
            this.shown = shown;
            this.pace = pace;
            methods = new TypeMethods(shown);
            coerce = new Coerce(shown);
        }

        public string Scheme
        {
            get { return Prefix; }
        }

        public IList<ActionInfo> Actions()
        {
            lock (key)
            {
                BeginRound();
                if (round == null) return last;
                pace.Next(ToList, true);
                // A part of the list is better than none, and worse than the one from before.
                bool isNew = round.List(pace) && (round.IsListed || !isListed);
                isListed |= round.IsListed;
                bool hadSetters = round.HasProvenSetters;
                pace.AtMost(ToProve);
                round.Prove(pace);
                isNew |= !hadSetters && round.HasProvenSetters;
                bool isOver = round.IsDone || ++looks >= MaxLooks;
                // What else is proven in between is told at the end: the list is long.
                if (isNew || isOver) Tell(round.Actions());
                if (!isOver) return last;
                proven = round.Proven();
                round = null;
                return last;
            }
        }

        // Objects come and go all the time, and seldom bring new actions.
        void Tell(List<ActionInfo> actions)
        {
            bool isSame = actions.Count == last.Count;
            for (int at = 0; at < actions.Count && isSame; at++)
            {
                ActionInfo before = last[at];
                ActionInfo now = actions[at];
                isSame = now.Binding == before.Binding && now.Effect == before.Effect
                    && now.Description == before.Description
                    && now.Parameters.Count == before.Parameters.Count;
            }
            if (!isSame) last = actions;
        }

        // All that can be told of these holders is told; for tests, which wait for it.
        internal bool IsSettled
        {
            get
            {
                lock (key) return round == null && version == shown.HoldersVersion;
            }
        }

        // A new one when holders came or went, or an assembly was loaded: its types may override anything. Those of
        // .NET itself do not, and to look at methods may load them.
        void BeginRound()
        {
            int holders = shown.HoldersVersion;
            Assembly[] assemblies = AppDomain.CurrentDomain.GetAssemblies();
            if (holders == version && assemblies.Length == allCount) return;
            allCount = assemblies.Length;
            int count = 0;
            foreach (Assembly assembly in assemblies) if (!Frameworks.Is(assembly)) count++;
            bool isSame = count == assemblyCount;
            if (holders == version && isSame) return;
            // An earlier round that is not done has proven something all the same.
            if (round != null)
                foreach (KeyValuePair<string, string> each in round.Proven()) proven[each.Key] = each.Value;
            version = holders;
            assemblyCount = count;
            looks = 0;
            var tokens = new Tokens(Loaded.Refresh(assemblies));
            var effects = new Effects(assemblies, tokens, shown.IsOfApp);
            round = new ActionDiscoveryPass(methods, shown.Holders, tokens, effects, proven, isSame);
        }

        public Outcome Invoke(string binding, Dictionary<string, object> args, Limit limit)
        {
            int hash = binding.LastIndexOf('#');
            if (!binding.StartsWith(Prefix, StringComparison.Ordinal) || hash < 0)
                throw new NotDispatched("there is no action " + binding);
            var shape = new ShapePath(binding.Substring(Prefix.Length, hash - Prefix.Length));
            string name = binding.Substring(hash + 1);
            string path = shape.Path(args);
            object found = shown.Find(path);
            if (found == null) throw new NotDispatched("there is no " + path);
            var asType = found as Type;
            Type type = asType ?? found.GetType();
            var overloads = new Overloads(coerce, shape, args);
            overloads.Choose(Signatures(type, name, asType != null, path));
            object target = asType != null ? null : found;
            return new Invocation(shown, overloads.Best, target, overloads.Values, limit).Run();
        }

        List<Signature> Signatures(Type type, string name, bool isStatic, string path)
        {
            var tokens = new Tokens(Loaded.Refresh(AppDomain.CurrentDomain.GetAssemblies()));
            List<Signature> fitting =
                methods.Of(type, tokens).FindAll(each => each.Name == name && each.Method.IsStatic == isStatic);
            if (fitting.Count > 0) return fitting;
            string found = TypeWords.A(type.FullName ?? type.Name);
            throw new NotDispatched(path + " is " + found + " and has no method " + name);
        }
    }
}
