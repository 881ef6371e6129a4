using System;
using System.Reflection;

namespace Substrate.Forms
{
    /// <summary>A private field of a class of Windows Forms, in those versions that have it.</summary>
    sealed class HiddenField
    {
        readonly string type;
        readonly string name;
        FieldInfo field;
        bool isResolved;

        internal HiddenField(string type, string name)
        {
            this.type = type;
            this.name = name;
        }

        /// <summary>Null: none, or it is of another class.</summary>
        internal string Text(object target)
        {
            if (!isResolved)
            {
                Type declaring = Library.Class(type);
                const BindingFlags Own = BindingFlags.Instance | BindingFlags.NonPublic;
                field = declaring == null ? null : declaring.GetField(name, Own);
                isResolved = true;
            }
            bool isThere = field != null && field.DeclaringType.IsInstanceOfType(target);
            return isThere ? field.GetValue(target) as string : null;
        }
    }
}
