using System;
using System.Reflection;

namespace Substrate.Act
{
    /// <summary>A call that a method makes.</summary>
    sealed class Call
    {
        internal readonly MethodBase Method;
        /// <summary>The method of just this type is meant: constructors, `base.X()`, static ones.</summary>
        internal readonly bool IsExact;
        /// <summary>See Kind; Other for a static call.</summary>
        internal readonly byte Receiver;
        /// <summary>Kind of each argument.</summary>
        internal readonly byte[] Arguments;
        /// <summary>The type whose method is meant where generic code calls; null: that of the method.</summary>
        internal readonly Type Constrained;

        internal Call(MethodBase method, bool isExact, byte receiver, byte[] arguments, Type constrained)
        {
            Method = method;
            IsExact = isExact;
            Receiver = receiver;
            Arguments = arguments;
            Constrained = constrained;
        }

        /// <summary>
        /// What the framework is asked on behalf of others, such as `Start` of an async method, calls this at once.
        /// </summary>
        internal static Call Body(MethodBase method, byte receiver)
        {
            return new Call(method, true, receiver, new byte[method.GetParameters().Length], null);
        }
    }
}
