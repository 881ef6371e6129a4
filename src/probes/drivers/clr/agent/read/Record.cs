using System.Collections.Generic;

namespace Substrate.Read
{
    /// <summary>
    /// Named values that the agent itself put together (a window); walked like an object with fields.
    /// </summary>
    sealed class Record
    {
        internal readonly List<string> Names = new List<string>();
        internal readonly List<object> Values = new List<object>();

        /// <summary>null, a scalar, a Record, an array or list of those, an object of the app.</summary>
        internal Record Put(string name, object value)
        {
            Names.Add(name);
            Values.Add(value);
            return this;
        }
    }
}
