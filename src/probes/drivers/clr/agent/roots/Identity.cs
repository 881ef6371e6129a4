using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace Substrate.Roots
{
    // Compares objects by reference: their own Equals is never called.
    sealed class Identity : IEqualityComparer<object>
    {
        internal static readonly Identity Instance = new Identity();

        bool IEqualityComparer<object>.Equals(object left, object right)
        {
            return ReferenceEquals(left, right);
        }

        int IEqualityComparer<object>.GetHashCode(object one)
        {
            return RuntimeHelpers.GetHashCode(one);
        }
    }
}
