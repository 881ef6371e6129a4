using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;
using System.Runtime.ExceptionServices;

namespace Substrate.Forms
{
    // A property of a class of Windows Forms. It may be overridden by a control of the app, so it is read on the thread
    // of the window only, as the framework itself does when it paints; what throws has no value.
    sealed class Property
    {
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        static readonly List<Property> All = new List<Property>();
        readonly string type;
        readonly string name;
        PropertyInfo property;
        Getter getter;
        bool isResolved;

        internal Property(string type, string name)
        {
            this.type = type;
            this.name = name;
            lock (All) All.Add(this);
        }

        // Finds all of them, so that nobody has to wait for that later.
        internal static void ResolveAll()
        {
            lock (All)
                foreach (Property property in All) property.Resolve();
        }

        internal object Of(object target)
        {
            if (target == null || !Resolve()) return null;
            try
            {
                return getter.Of(target);
            }
            catch (Exception)
            {
                return null;
            }
        }

        internal bool Flag(object target)
        {
            object value = Of(target);
            return value is bool && (bool)value;
        }

        // An enum by its number.
        internal int Number(object target)
        {
            object value = Of(target);
            if (value is int) return (int)value;
            return value is Enum ? ((IConvertible)value).ToInt32(CultureInfo.InvariantCulture) : 0;
        }

        // Null: none, or an empty one.
        internal string Text(object target)
        {
            var text = Of(target) as string;
            return string.IsNullOrEmpty(text) ? null : text;
        }

        internal IList List(object target)
        {
            return Of(target) as IList;
        }

        // Throws what the handlers of the app throw.
        internal void Set(object target, object value)
        {
            if (!Resolve()) throw new MissingMemberException(type, name);
            try
            {
                property.SetValue(target, value, null);
            }
            catch (TargetInvocationException thrown)
            {
                ExceptionDispatchInfo.Capture(thrown.InnerException ?? thrown).Throw();
            }
        }

        bool Resolve()
        {
            if (isResolved) return getter != null;
            Type declaring = Library.Class(type);
            property = declaring == null ? null : Find(declaring);
            MethodInfo method = property == null ? null : property.GetGetMethod(true);
            if (method != null) getter = Getter.Make(method);
            isResolved = true;
            return getter != null;
        }

        // Of a property that a class declares again, the one of that class.
        PropertyInfo Find(Type declaring)
        {
            for (Type at = declaring; at != null; at = at.BaseType)
                foreach (PropertyInfo candidate in at.GetProperties(Any | BindingFlags.DeclaredOnly))
                    if (candidate.Name == name && candidate.GetIndexParameters().Length == 0) return candidate;
            return null;
        }
    }

    // Calls the getter of a property whose types are known only when the agent runs.
    abstract class Getter
    {
        // Null also where the object has no such property.
        internal abstract object Of(object target);

        internal static Getter Make(MethodInfo method)
        {
            Type made = typeof(Typed<,>).MakeGenericType(method.DeclaringType, method.ReturnType);
            return (Getter)Activator.CreateInstance(made, method);
        }

        // A delegate costs a hundredth of a call by reflection, and a look at a window makes thousands.
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
