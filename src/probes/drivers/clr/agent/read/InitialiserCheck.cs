using System.Reflection;

namespace Substrate.Read
{
    // An object can be there before the initialiser of its type has run: it is run when a static field is first used.
    // To read a field of such an object by reflection runs it on CoreCLR; code that loads the field does not.
    static class InitialiserCheck
    {
        // Reading the field by reflection may run code of the app.
        internal static bool MayRun(FieldInfo field)
        {
            return !field.IsStatic && field.DeclaringType.TypeInitializer != null
                && Ownership.Of(field.DeclaringType) != Owner.Framework;
        }
    }
}
