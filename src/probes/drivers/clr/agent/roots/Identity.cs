using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace Substrate.Roots
{
    // Objects are the same when they are one: their own Equals is never asked.
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
