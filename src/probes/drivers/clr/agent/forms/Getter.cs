using System;
using System.Reflection;

namespace Substrate.Forms
{
    /// <summary>Calls the getter of a property whose types are known only when the agent runs.</summary>
    abstract class Getter
    {
        /// <summary>Null also where the object has no such property.</summary>
        internal abstract object Of(object target);

        internal static Getter Make(MethodInfo method)
        {
            Type made = typeof(Typed<,>).MakeGenericType(method.DeclaringType, method.ReturnType);
            return (Getter)Activator.CreateInstance(made, method);
        }

        /// <summary>
        /// A delegate costs a hundredth of a call by reflection, and a look at a window makes thousands.
        /// </summary>
        sealed class Typed<TTarget, TValue> : Getter where TTarget : class
        {
            readonly Func<TTarget, TValue> call;

            public Typed(MethodInfo method)
            {
                call = (Func<TTarget, TValue>)Delegate.CreateDelegate(typeof(Func<TTarget, TValue>), method);
            }

            internal override object Of(object target)
            {
                var typed = target as TTarget;
                return typed == null ? null : (object)call(typed);
            }
        }
    }
}
