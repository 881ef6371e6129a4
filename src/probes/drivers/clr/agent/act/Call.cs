using System;
using System.Reflection;

namespace Substrate.Act
{
    // A call that a method makes.
    sealed class Call
    {
        internal readonly MethodBase Method;
        // The method of just this type is meant: constructors, `base.X()`, static ones.
        internal readonly bool IsExact;
        // See ValueOrigin; Other for a static call.
        internal readonly byte Receiver;
        // Of each argument, see ValueOrigin.
        internal readonly byte[] Arguments;
        // The type whose method is meant where generic code calls; null: that of the method.
        internal readonly Type Constrained;

        internal Call(MethodBase method, bool isExact, byte receiver, byte[] arguments, Type constrained)
        {
            Method = method;
            IsExact = isExact;
            Receiver = receiver;
            Arguments = arguments;
            Constrained = constrained;
        }

        // What the framework is asked on behalf of others, such as `Start` of an async method, calls this at once.
        internal static Call Body(MethodBase method, byte receiver)
        {
            return new Call(method, true, receiver, new byte[method.GetParameters().Length], null);
        }
    }
}
