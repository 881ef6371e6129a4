using System;

namespace Substrate.Code
{
    // The origins of the arguments, of the variables and of what is on the stack.
    sealed class Frame
    {
        internal readonly long[] Arguments;
        internal readonly long[] Locals;
        readonly long[] stack;
        int size;

        internal Frame(int arguments, int locals, int stackSize)
        {
            Arguments = new long[arguments];
            Locals = new long[locals];
            for (int at = 0; at < locals; at++) Locals[at] = ValueOrigin.Constant;
            stack = new long[stackSize];
        }

        internal void Push(long origin)
        {
            if (size >= stack.Length) throw new FormatException("the stack is full");
            stack[size++] = origin;
        }

        internal long Pop()
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
            Array.Copy(Arguments, copy.Arguments, Arguments.Length);
            Array.Copy(Locals, copy.Locals, Locals.Length);
            Array.Copy(stack, copy.stack, size);
            copy.size = size;
            return copy;
        }

        // True: a value may come from more places than was known.
        internal bool Merge(Frame other)
        {
            if (size != other.size) throw new FormatException("stacks differ");
            bool changed = Merge(Arguments, other.Arguments, Arguments.Length);
            changed |= Merge(Locals, other.Locals, Locals.Length);
            return Merge(stack, other.stack, size) || changed;
        }

        static bool Merge(long[] origins, long[] others, int count)
        {
            bool changed = false;
            for (int at = 0; at < count; at++)
            {
                long merged = origins[at] | others[at];
                changed |= merged != origins[at];
                origins[at] = merged;
            }
            return changed;
        }
    }
}
