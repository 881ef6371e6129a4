using System;
using System.Reflection;
using System.Reflection.Emit;

namespace Substrate.Code
{
    // The shape of instructions of IL. Every byte may be there: an unknown operation or an operand that goes beyond the
    // end throws FormatException.
    static class Il
    {
        // Operations of two bytes (FE xx) are numbered from here.
        internal const int Long = 0x100;
        static readonly OpCode?[] Known = new OpCode?[2 * Long];
        static readonly int[] Taken = new int[2 * Long];
        static readonly int[] Put = new int[2 * Long];
        static readonly int[] None = { };

        static Il()
        {
            foreach (FieldInfo field in typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static))
            {
                var code = (OpCode)field.GetValue(null);
                // A prefix that is no instruction.
                if (code.OpCodeType == OpCodeType.Nternal) continue;
                int operation = (code.Size == 2 ? Long : 0) | code.Value & 0xff;
                Known[operation] = code;
                Taken[operation] = Count(code.StackBehaviourPop);
                Put[operation] = Count(code.StackBehaviourPush);
            }
        }

        // `Pop0`, `Popi`, `Popref_popi_popi`; -1: that depends on the operand (`Varpop`).
        static int Count(StackBehaviour behaviour)
        {
            string name = behaviour.ToString();
            if (name.StartsWith("Var", StringComparison.Ordinal)) return -1;
            return name.EndsWith("0", StringComparison.Ordinal) ? 0 : name.Split('_').Length;
        }

        internal static int Operation(byte[] code, int at)
        {
            if (code[at] != 0xfe) return code[at];
            if (at + 1 >= code.Length) throw new FormatException("half an operation");
            return Long | code[at + 1];
        }

        // How many values it takes from the stack; -1: that depends on its operand.
        internal static int TakenBy(int operation)
        {
            return OperandOf(operation) >= 0 ? Taken[operation] : 0;
        }

        internal static int PutBy(int operation)
        {
            return OperandOf(operation) >= 0 ? Put[operation] : 0;
        }

        static OperandType OperandOf(int operation)
        {
            OpCode? known = Known[operation];
            if (known == null) throw new FormatException("no such operation: " + operation);
            return known.Value.OperandType;
        }

        // Of the instruction with its operand.
        internal static int Length(byte[] code, int at)
        {
            int operation = Operation(code, at);
            int head = operation >= Long ? 2 : 1;
            int length = head + OperandLength(code, at + head, OperandOf(operation));
            if (length <= 0 || at + length > code.Length) throw new FormatException("an operand goes beyond the end");
            return length;
        }

        static int OperandLength(byte[] code, int at, OperandType operand)
        {
            switch (operand)
            {
                case OperandType.InlineNone: return 0;
                case OperandType.ShortInlineBrTarget: case OperandType.ShortInlineI: case OperandType.ShortInlineVar:
                    return 1;
                case OperandType.InlineVar: return 2;
                case OperandType.InlineI8: case OperandType.InlineR: return 8;
                case OperandType.InlineSwitch:
                    int count = Number(code, at);
                    if (count < 0 || count > code.Length / 4) throw new FormatException("a switch goes beyond the end");
                    return 4 + 4 * count;
                // Numbers, far branches and tokens.
                default: return 4;
            }
        }

        // Where it may go on other than behind itself; for most operations nowhere.
        internal static int[] Targets(byte[] code, int at)
        {
            int operation = Operation(code, at);
            OperandType operand = OperandOf(operation);
            int next = at + Length(code, at);
            int operandAt = at + (operation >= Long ? 2 : 1);
            if (operand == OperandType.ShortInlineBrTarget) return new[] { next + (sbyte)code[operandAt] };
            if (operand == OperandType.InlineBrTarget) return new[] { next + Number(code, operandAt) };
            if (operand != OperandType.InlineSwitch) return None;
            var targets = new int[Number(code, operandAt)];
            for (int each = 0; each < targets.Length; each++)
                targets[each] = next + Number(code, operandAt + 4 + 4 * each);
            return targets;
        }

        static int Number(byte[] code, int at)
        {
            if (at < 0 || at + 4 > code.Length) throw new FormatException("an operand goes beyond the end");
            return code[at] | code[at + 1] << 8 | code[at + 2] << 16 | code[at + 3] << 24;
        }

        // The token of an instruction that has one.
        internal static int Token(byte[] code, int at)
        {
            return Number(code, at + (code[at] == 0xfe ? 2 : 1));
        }

        // The variable or argument of a load, store or address; -1: the operation has none.
        internal static int Slot(byte[] code, int at)
        {
            int operation = Operation(code, at);
            if (operation >= 0x02 && operation <= 0x0d) return (operation - 2) & 3;
            if (operation >= 0x0e && operation <= 0x13) return code[at + 1];
            if (operation >= Op.LdargLong && operation <= Op.StlocLong) return code[at + 2] | code[at + 3] << 8;
            return -1;
        }
    }

    // The operations that have to be told apart: OpCodes has them as values, which no `case` takes.
    static class Op
    {
        internal const int
            Nop = 0x00, Ldarg0 = 0x02, Ldarg3 = 0x05, Ldloc0 = 0x06, Ldloc3 = 0x09, Stloc0 = 0x0a, Stloc3 = 0x0d,
            LdargShort = 0x0e, LdargaShort = 0x0f, StargShort = 0x10, LdlocShort = 0x11, LdlocaShort = 0x12,
            StlocShort = 0x13, Ldnull = 0x14, LdcR8 = 0x23, Dup = 0x25, Jmp = 0x27, Call = 0x28, Calli = 0x29,
            Ret = 0x2a, BrShort = 0x2b, BeqShort = 0x2e, BneShort = 0x33, Br = 0x38, Beq = 0x3b, Bne = 0x40,
            StindRef = 0x51, StindR8 = 0x57, ConvI1 = 0x67, ConvU8 = 0x6e, Callvirt = 0x6f, Cpobj = 0x70, Ldstr = 0x72,
            Newobj = 0x73, Castclass = 0x74, Isinst = 0x75, ConvRUn = 0x76, Throw = 0x7a, Ldfld = 0x7b, Ldflda = 0x7c,
            Stfld = 0x7d, Ldsfld = 0x7e, Ldsflda = 0x7f, Stsfld = 0x80, Stobj = 0x81, Box = 0x8c, Newarr = 0x8d,
            Ldelema = 0x8f, StelemI = 0x9b, StelemRef = 0xa2, Stelem = 0xa4, UnboxAny = 0xa5, Refanyval = 0xc2,
            Mkrefany = 0xc6, Endfinally = 0xdc, Leave = 0xdd, LeaveShort = 0xde, StindI = 0xdf, Arglist = 0x100,
            Ceq = 0x101, Ldftn = 0x106, Ldvirtftn = 0x107, LdargLong = 0x109, LdargaLong = 0x10a, StargLong = 0x10b,
            LdlocLong = 0x10c, LdlocaLong = 0x10d, StlocLong = 0x10e, Localloc = 0x10f, Endfilter = 0x111,
            Initobj = 0x115, Constrained = 0x116, Cpblk = 0x117, Initblk = 0x118, Rethrow = 0x11a;
    }
}
