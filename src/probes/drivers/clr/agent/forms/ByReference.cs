using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace Substrate.Forms
{
    /// <summary>Objects of the app are not asked whether they are equal.</summary>
    sealed class ByReference : IEqualityComparer<object>
    {
        bool IEqualityComparer<object>.Equals(object one, object other)
        {
            return ReferenceEquals(one, other);
        }

        int IEqualityComparer<object>.GetHashCode(object value)
        {
            return RuntimeHelpers.GetHashCode(value);
        }
    }
}
