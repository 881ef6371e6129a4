using System.Collections.Generic;

namespace Substrate.Read
{
    // Named values that the agent itself put together (a window); walked like an object with fields.
    sealed class Record
    {
        internal readonly List<string> Names = new List<string>();
        internal readonly List<object> Values = new List<object>();

        // The value is null, a scalar, a Record, an array or list of those, or an object of the app.
        internal Record Put(string name, object value)
        {
            Names.Add(name);
            Values.Add(value);
            return this;
        }
    }
}
