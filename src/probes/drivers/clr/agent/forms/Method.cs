using System;
using System.Reflection;
using System.Runtime.ExceptionServices;

namespace Substrate.Forms
{
    // A method of a class of Windows Forms, called as the framework calls it when a person uses a control.
    sealed class Method
    {
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        readonly string type;
        readonly string name;
        readonly string[] parameters;
        MethodInfo method;

        // `parameters`: the names of their types, without namespaces.
        internal Method(string type, string name, params string[] parameters)
        {
            this.type = type;
            this.name = name;
            this.parameters = parameters;
        }

        // Throws what the handlers of the app throw.
        internal object Call(object target, params object[] arguments)
        {
            if (method == null) method = Find();
            if (method == null) throw new MissingMethodException(type, name);
            try
            {
                return method.Invoke(target, arguments);
            }
            catch (TargetInvocationException thrown)
            {
                ExceptionDispatchInfo.Capture(thrown.InnerException ?? thrown).Throw();
                throw;
            }
        }

        // For reading: what throws says nothing.
        internal object Ask(object target, params object[] arguments)
        {
            try
            {
                return Call(target, arguments);
            }
            catch (Exception)
            {
                return null;
            }
        }

        MethodInfo Find()
        {
            for (Type at = Library.Class(type); at != null; at = at.BaseType)
                foreach (MethodInfo candidate in at.GetMethods(Any | BindingFlags.DeclaredOnly))
                    if (candidate.Name == name && Takes(candidate.GetParameters())) return candidate;
            return null;
        }

        bool Takes(ParameterInfo[] taken)
        {
            if (taken.Length != parameters.Length) return false;
            for (int at = 0; at < taken.Length; at++)
                if (taken[at].ParameterType.Name != parameters[at]) return false;
            return true;
        }
    }
}
