using System;
using System.Reflection;
using Substrate.Read;

namespace Substrate.Roots
{
    // A type that the app does not seem to use yet. Held weakly: what was loaded to be unloaded again must not stay for
    // us.
    sealed class WaitingType
    {
        readonly WeakReference type;
        // Reading a type looks like using it, so that the runtime's mark says nothing any more.
        bool wasRead;

        internal WaitingType(Type type)
        {
            this.type = new WeakReference(type);
        }

        // Null: it is gone.
        internal Type Type
        {
            get { return (Type)type.Target; }
        }

        // Its initialiser has run; or it has none, and was used or has been given a value.
        internal bool IsInUse(OwnMemory memory)
        {
            try
            {
                return Asked(memory);
            }
            catch (Exception)
            {
                // A type that refers to something that is not there.
                return false;
            }
        }

        bool Asked(OwnMemory memory)
        {
            Type of = Type;
            if (of == null || !Initialisers.HaveRun(memory, of)) return false;
            if (of.TypeInitializer != null || !wasRead && Initialisers.IsMarked(memory, of)) return true;
            wasRead = true;
            foreach (FieldInfo field in FieldAccess.Statics(of))
                if (!field.IsLiteral && HasValue(FieldAccess.Value(field, null))) return true;
            return false;
        }

        // Another one than it has from the beginning. A struct of the app is not compared: that is code of its own.
        static bool HasValue(object value)
        {
            if (!(value is ValueType)) return value != null;
            Type type = value.GetType();
            bool isPlain = type.IsPrimitive || type.IsEnum;
            if (!isPlain && (type.IsGenericType || Ownership.Of(type) != Owner.Framework)) return false;
            return !value.Equals(Activator.CreateInstance(type));
        }
    }
}
