using System.Runtime.CompilerServices;

namespace Substrate.Forms
{
    /// <summary>By identity, and without keeping anything alive.</summary>
    sealed class MemoryBook
    {
        readonly ConditionalWeakTable<object, Memory> memories = new ConditionalWeakTable<object, Memory>();

        internal Memory Of(object control)
        {
            return memories.GetValue(control, known => new Memory(known));
        }
    }
}
