using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;
using System.Runtime.ExceptionServices;

namespace Substrate.Forms
{
    /// <summary>
    /// A property of a class of Windows Forms. It may be overridden by a control of the app, so it is read on the
    /// thread of the window only, as the framework itself does when it paints; what throws has no value.
    /// </summary>
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

        /// <summary>Finds all of them, so that nobody has to wait for that later.</summary>
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

        /// <summary>An enum by its number.</summary>
        internal int Number(object target)
        {
            object value = Of(target);
            if (value is int) return (int)value;
            return value is Enum ? ((IConvertible)value).ToInt32(CultureInfo.InvariantCulture) : 0;
        }

        /// <summary>Null: none, or an empty one.</summary>
        internal string Text(object target)
        {
            var text = Of(target) as string;
            return string.IsNullOrEmpty(text) ? null : text;
        }

        internal IList List(object target)
        {
            return Of(target) as IList;
        }

        /// <summary>Throws what the handlers of the app throw.</summary>
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

        /// <summary>Of a property that a class declares again, the one of that class.</summary>
        PropertyInfo Find(Type declaring)
        {
            for (Type at = declaring; at != null; at = at.BaseType)
                foreach (PropertyInfo candidate in at.GetProperties(Any | BindingFlags.DeclaredOnly))
                    if (candidate.Name == name && candidate.GetIndexParameters().Length == 0) return candidate;
            return null;
        }
    }
}
