using System;

namespace Substrate.Act
{
    // The kinds of the arguments, of the variables and of what is on the stack.
    sealed class Frame
    {
        internal readonly byte[] Arguments;
        internal readonly byte[] Locals;
        readonly byte[] stack;
        int size;

        internal Frame(int arguments, int locals, int stackSize)
        {
            Arguments = new byte[arguments];
            Locals = new byte[locals];
            for (int at = 0; at < locals; at++) Locals[at] = ValueOrigin.Constant;
            stack = new byte[stackSize];
        }

        internal void Push(byte kind)
        {
            if (size >= stack.Length) throw new FormatException("the stack is full");
            stack[size++] = kind;
        }

        internal byte Pop()
        {
            if (size == 0) throw new FormatException("the stack is empty");
            return stack[--size];
        }

        internal void Clear()
        {
            size = 0;
        }

        internal Frame Copy()
        {
            var copy = new Frame(Arguments.Length, Locals.Length, stack.Length);
            Buffer.BlockCopy(Arguments, 0, copy.Arguments, 0, Arguments.Length);
            Buffer.BlockCopy(Locals, 0, copy.Locals, 0, Locals.Length);
            Buffer.BlockCopy(stack, 0, copy.stack, 0, size);
            copy.size = size;
            return copy;
        }

        // True: something was known better than both ways say.
        internal bool Merge(Frame other)
        {
            if (size != other.size) throw new FormatException("stacks differ");
            bool changed = Merge(Arguments, other.Arguments, Arguments.Length);
            changed |= Merge(Locals, other.Locals, Locals.Length);
            return Merge(stack, other.stack, size) || changed;
        }

        static bool Merge(byte[] kinds, byte[] others, int count)
        {
            bool changed = false;
            for (int at = 0; at < count; at++)
            {
                byte merged = ValueOrigin.Merge(kinds[at], others[at]);
                changed |= merged != kinds[at];
                kinds[at] = merged;
            }
            return changed;
        }
    }
}
