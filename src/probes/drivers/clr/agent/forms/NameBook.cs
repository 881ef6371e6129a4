using System.Collections.Generic;
using System.Globalization;

namespace Substrate.Forms
{
    /// <summary>Hands out each name once: the second of two alike gets `_2`.</summary>
    sealed class NameBook
    {
        readonly HashSet<string> taken = new HashSet<string>();

        internal string Take(string wanted)
        {
            string name = wanted;
            for (int number = 2; !taken.Add(name); number++)
                name = wanted + "_" + number.ToString(CultureInfo.InvariantCulture);
            return name;
        }

        /// <summary>The same as at the last look, where that is free.</summary>
        internal string Take(string wanted, Memory memory)
        {
            bool isKept = wanted == memory.Wanted && taken.Add(memory.Given);
            if (!isKept)
            {
                memory.Given = Take(wanted);
                memory.Wanted = wanted;
            }
            return memory.Given;
        }
    }
}
