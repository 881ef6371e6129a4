using System;

namespace Substrate.Roots
{
    // What roots would be called.
    static class RootNaming
    {
        // `Store`; without the number of type parameters.
        internal static string Simple(Type type)
        {
            string name = type.Name;
            int mark = name.IndexOf('`');
            return mark > 0 ? name.Substring(0, mark) : name;
        }

        // `Outer_Store` for a nested type, else `Sales_Store` by the last part of the namespace; null: there is none.
        internal static string WithOuter(Type type)
        {
            if (type.DeclaringType != null) return Simple(type.DeclaringType) + '_' + Simple(type);
            string space = type.Namespace;
            if (string.IsNullOrEmpty(space)) return null;
            return space.Substring(space.LastIndexOf('.') + 1) + '_' + Simple(type);
        }

        // `cartService` for CartService; `URLBook` stays.
        internal static string Decapitalised(Type type)
        {
            return Decapitalised(Simple(type));
        }

        internal static string Decapitalised(string name)
        {
            bool isAbbreviation = name.Length > 1 && char.IsUpper(name[1]);
            return name.Length == 0 || isAbbreviation ? name : char.ToLowerInvariant(name[0]) + name.Substring(1);
        }
    }
}
