using System;
using System.Reflection;
using System.Reflection.Emit;

namespace Substrate.Code
{
    // The format of IL instructions. Any byte may come: an unknown operation or an operand beyond the end throws
    // FormatException.
    static class Il
    {
        // Operations of two bytes (FE xx) are numbered from here.
        internal const int Long = 0x100;
        static readonly OpCode?[] Known = new OpCode?[2 * Long];

        static Il()
        {
            foreach (FieldInfo field in typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static))
            {
                var code = (OpCode)field.GetValue(null);
                // A prefix, not an instruction.
                if (code.OpCodeType == OpCodeType.Nternal) continue;
                Known[(code.Size == 2 ? Long : 0) | code.Value & 0xff] = code;
            }
        }

        internal static int Operation(byte[] code, int at)
        {
            if (code[at] != 0xfe) return code[at];
            if (at + 1 >= code.Length) throw new FormatException("half an operation");
            return Long | code[at + 1];
        }

        // True if it refers to a method, field or type that has to be known. src/probes/drivers/clr/il-operations.ts
        // has the same list.
        internal static bool Refers(int operation)
        {
            return operation == Op.Call || operation == Op.Callvirt || operation == Op.Newobj || operation == Op.Ldftn
                || operation == Op.Ldvirtftn || operation >= Op.Ldfld && operation <= Op.Stsfld || IsOnType(operation);
        }

        internal static bool IsOnType(int operation)
        {
            return operation == Op.Castclass || operation == Op.Isinst || operation == Op.Box || operation == Op.UnboxAny;
        }

        static OperandType OperandOf(int operation)
        {
            OpCode? known = Known[operation];
            if (known == null) throw new FormatException("no such operation: " + operation);
            return known.Value.OperandType;
        }

        // The length of the instruction with its operand.
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
    }

    // The operations that are distinguished: OpCodes has them as values, which `case` does not accept.
    static class Op
    {
        internal const int
            Nop = 0x00, Ldarg0 = 0x02, Ldloc0 = 0x06, Stloc0 = 0x0a, Call = 0x28, Ret = 0x2a, BrShort = 0x2b,
            Callvirt = 0x6f, Newobj = 0x73, Castclass = 0x74, Isinst = 0x75, Throw = 0x7a, Ldfld = 0x7b, Ldsfld = 0x7e,
            Ldsflda = 0x7f, Stsfld = 0x80, Box = 0x8c, UnboxAny = 0xa5, Ldftn = 0x106, Ldvirtftn = 0x107,
            Constrained = 0x116;
    }
}
