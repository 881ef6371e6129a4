using System;
using System.Collections.Generic;
using System.Text;

namespace Substrate.Act
{
    // All overloads of one name at one place: an action, before it is known whether there is room for it.
    sealed class Candidate
    {
        const int MaxDescription = 1000;
        const int Minor = 1000000;

        internal readonly Place Place;
        internal readonly string Name;
        // Of each type at the place; the same overload of several types once for each.
        internal readonly List<Type> Types = new List<Type>();
        internal readonly List<Signature> Signatures = new List<Signature>();
        string key;

        internal Candidate(Place place, string name)
        {
            Place = place;
            Name = name;
        }

        internal void Add(Type type, Signature signature)
        {
            Types.Add(type);
            Signatures.Add(signature);
        }

        // The lower the more useful: verbs of what is near first, then setters, reads, at last what is worth little.
        internal int Rank
        {
            get
            {
                bool isRead = true;
                bool isSetter = true;
                foreach (Signature signature in Signatures)
                {
                    isRead &= signature.IsReadByName;
                    isSetter &= signature.IsSetterByName;
                }
                return Place.Path.Depth + (isRead ? 2 : isSetter ? 1 : 0) + (IsMinor ? Minor : 0);
            }
        }

        // Worth showing only where there is little else: by itself, or because of where it is.
        internal bool IsMinor
        {
            get
            {
                if (Place.IsMinor) return true;
                foreach (Signature signature in Signatures) if (!signature.IsMinor) return false;
                return true;
            }
        }

        // Each of its methods sets a property.
        internal bool IsProperty
        {
            get
            {
                foreach (Signature signature in Signatures) if (!signature.IsProperty) return false;
                return true;
            }
        }

        // It brings nothing, not even a refusal, and nothing that could be waited for.
        internal bool BringsNothing
        {
            get
            {
                foreach (Signature signature in Signatures)
                {
                    if (signature.Method.ReturnType != typeof(void)) return false;
                    MethodCode code = MethodCode.Of(signature.Method);
                    if (code != null && code.Throws) return false;
                }
                return true;
            }
        }

        // Stands for it as long as the same types are met there.
        internal string Key
        {
            get
            {
                if (key != null) return key;
                var text = new StringBuilder(Place.Shape);
                for (int at = 0; at < Signatures.Count; at++)
                {
                    text.Append(' ').Append(Types[at].AssemblyQualifiedName).Append('#').Append(Signatures[at].Spoken);
                    text.Append(Signatures[at].Method.MetadataToken);
                }
                return key = text.ToString();
            }
        }

        // `effect`: null where it is not known yet.
        internal ActionInfo Info(string effect)
        {
            var parameters = new List<Parameter>(Place.Path.Gaps);
            AddOwnParameters(parameters);
            string binding = MethodActions.Prefix + Place.Shape + "#" + Name;
            string name = Place.Path.Name(Name);
            return new ActionInfo(binding, name, parameters, Returns, effect ?? "unjudged", Description());
        }

        // Those of all overloads by name; required is what all require.
        void AddOwnParameters(List<Parameter> parameters)
        {
            var order = new List<string>();
            var all = new Dictionary<string, Parameter>();
            var counts = new Dictionary<string, int>();
            foreach (Signature signature in Signatures)
                foreach (Parameter parameter in signature.Parameters)
                {
                    string name = Place.Path.NameFor(parameter.Name);
                    if (!all.ContainsKey(name)) order.Add(name);
                    all[name] = all.ContainsKey(name)
                        ? Union(all[name], parameter)
                        : new Parameter(name, parameter.Type, parameter.Required, parameter.Description);
                    counts[name] = counts.ContainsKey(name) ? counts[name] + 1 : 1;
                }
            foreach (string name in order)
            {
                Parameter known = all[name];
                bool isRequired = known.Required && counts[name] == Signatures.Count;
                parameters.Add(new Parameter(name, known.Type, isRequired, known.Description));
            }
        }

        static Parameter Union(Parameter one, Parameter other)
        {
            string type = one.Type == other.Type ? one.Type : null;
            string told = one.Description == other.Description ? one.Description : null;
            return new Parameter(one.Name, type, one.Required && other.Required, told);
        }

        string Returns
        {
            get
            {
                string returns = Signatures[0].Returns;
                foreach (Signature signature in Signatures) if (signature.Returns != returns) return "unknown";
                return returns;
            }
        }

        // The worst of all overloads.
        internal string Effect(Effects effects)
        {
            string worst = "none";
            for (int at = 0; at < Signatures.Count; at++)
            {
                string effect = effects.Of(Types[at], Signatures[at].Method);
                if (Badness(effect) > Badness(worst)) worst = effect;
            }
            return worst;
        }

        static int Badness(string effect)
        {
            return effect == "none" ? 0 : effect == "setter" ? 1 : effect == "own-state" ? 2 : 3;
        }

        string Description()
        {
            Type type = Types[0];
            bool isProperty = Signatures[0].IsProperty;
            var text = new StringBuilder(isProperty ? "Sets the " : "");
            if (Place.IsStatic) text.Append(isProperty ? "static " : "Static ");
            text.Append(isProperty ? "property " : Place.IsStatic ? "method " : "Method ");
            text.Append(isProperty ? Name.Substring("set".Length) : Name).Append(" of ").Append(TypeWords.Name(type));
            if (!string.IsNullOrEmpty(type.Namespace)) text.Append(" (").Append(type.Namespace).Append(')');
            text.Append(" on ").Append(Place.Shape).Append(": ");
            var spoken = new List<string>();
            foreach (Signature signature in Signatures)
                if (!spoken.Contains(signature.Spoken)) spoken.Add(signature.Spoken);
            text.Append(string.Join("; ", spoken.ToArray()));
            if (text.Length > MaxDescription) text.Remove(MaxDescription, text.Length - MaxDescription).Append('…');
            return text.Append('.').ToString();
        }
    }
}
