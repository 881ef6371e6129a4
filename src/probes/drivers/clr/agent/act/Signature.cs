using System;
using System.Collections.Generic;
using System.Reflection;

namespace Substrate.Act
{
    // One method that can be called.
    sealed class Signature
    {
        // As the action is called: of a property `setTitle`.
        internal readonly string Name;
        internal readonly MethodInfo Method;
        // What people are told of; what the agent supplies itself is not among them.
        internal readonly IList<Parameter> Parameters;
        // As ActionInfo says it.
        internal readonly string Returns;
        // `AddItem(string sku, int quantity) -> int`.
        internal readonly string Spoken;
        // Worth showing only where there is little else.
        internal readonly bool IsMinor;
        // Types of which the state must show an object.
        readonly HashSet<Type> needs;

        internal Signature(string name, MethodInfo method, IList<Parameter> parameters, string returns, string spoken,
            HashSet<Type> needs, bool isMinor)
        {
            Name = name;
            Method = method;
            Parameters = parameters;
            Returns = returns;
            Spoken = spoken;
            IsMinor = isMinor;
            this.needs = needs;
        }

        internal bool IsProperty
        {
            get { return Method.IsSpecialName; }
        }

        // `shown`: the types, with their ancestors and interfaces, of all objects that can be named.
        internal bool CanBeGiven(HashSet<Type> shown)
        {
            foreach (Type need in needs) if (!shown.Contains(need)) return false;
            return true;
        }

        // Whether these and no others could be its arguments.
        internal bool Takes(ICollection<string> given, ShapePath shape)
        {
            int known = 0;
            foreach (Parameter parameter in Parameters)
            {
                if (given.Contains(shape.NameFor(parameter.Name))) known++;
                else if (parameter.Required) return false;
            }
            return known == given.Count;
        }

        internal bool IsReadByName
        {
            get { return BeginsWith(Name, "Get") || BeginsWith(Name, "Is") || BeginsWith(Name, "Has"); }
        }

        internal bool IsSetterByName
        {
            get { return IsProperty || BeginsWith(Name, "Set") && Parameters.Count == 1; }
        }

        // `SetName` begins with the word `Set`, `Settle` does not; of either case.
        internal static bool BeginsWith(string name, string word)
        {
            if (!name.StartsWith(word, StringComparison.OrdinalIgnoreCase)) return false;
            return name.Length == word.Length || !char.IsLower(name[word.Length]);
        }
    }
}
