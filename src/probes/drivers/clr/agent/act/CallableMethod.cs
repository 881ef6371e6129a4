using System.Reflection;
using Substrate.Json;

namespace Substrate.Act
{
    // One method that can be called.
    sealed class CallableMethod
    {
        internal readonly MethodInfo Method;
        // As JSON, see method-facts.ts; null: they are told.
        internal JsonWriter Facts;

        internal CallableMethod(MethodInfo method, JsonWriter facts)
        {
            Method = method;
            Facts = facts;
        }

        // As the action is called: of a property `setTitle`.
        internal string Name
        {
            get { return Method.IsSpecialName ? "set" + Method.Name.Substring(TypeMethods.SetPrefix.Length) : Method.Name; }
        }
    }
}
