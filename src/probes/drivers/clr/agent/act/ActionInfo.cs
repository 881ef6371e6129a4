using System.Collections.Generic;

namespace Substrate.Act
{
    /// <summary>Something that can be called, as the daemon is told.</summary>
    sealed class ActionInfo
    {
        /// <summary>Names the target in the agent; begins with the scheme of its source; stable while the app runs the same code.</summary>
        internal readonly string Binding;
        /// <summary>`shop.cart.AddItem`: where it hangs in the state, and its own name.</summary>
        internal readonly string Name;
        internal readonly IList<Parameter> Parameters;
        /// <summary>string, number, boolean, object, array, void or unknown.</summary>
        internal readonly string Returns;
        /// <summary>none, setter, own-state, control, unknown or unjudged.</summary>
        internal readonly string Effect;
        internal readonly string Description;

        internal ActionInfo(
            string binding, string name, IList<Parameter> parameters, string returns, string effect, string description)
        {
            Binding = binding;
            Name = name;
            Parameters = parameters;
            Returns = returns;
            Effect = effect;
            Description = description;
        }
    }
}
