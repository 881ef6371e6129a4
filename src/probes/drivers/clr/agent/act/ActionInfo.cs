using System.Collections.Generic;

namespace Substrate.Act
{
    // Something that can be called, as the daemon is told.
    sealed class ActionInfo
    {
        // Names the target in the agent; begins with the scheme of its source; stable while the app runs the same code.
        internal readonly string Binding;
        // `shop.cart.AddItem`: where it hangs in the state, and its own name.
        internal readonly string Name;
        internal readonly IList<Parameter> Parameters;
        // string, number, boolean, object, array, void or unknown.
        internal readonly string Returns;
        // none, setter, own-state, control, unknown or unjudged.
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
