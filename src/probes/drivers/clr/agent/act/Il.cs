using System;

namespace Substrate.Act
{
    /// <summary>
    /// The shape of instructions of IL. Every byte may be there: an unknown operation or an operand that goes beyond
    /// the end throws FormatException.
    /// </summary>
    static class Il
    {
        /// <summary>Operations of two bytes (FE xx) are numbered from here.</summary>
        internal const int Long = 0x100;

        /// <summary>
        /// Operands: a count of bytes, b/B a near or far branch, S a switch, T a token, ? no such operation.
        /// </summary>
        const string Operands =
            "000000000000001111110000000000014848?00TTT0bbbbbbbbbbbbbBBBBBBBBBBBBBS00000000000000000000000000"
            + "000000000000000TTTTTTT0??T0TTTTTTT0000000000TT0T0000000000000000000TTT?????????????00000000?????"
            + "??T0??T?????????T000000000000Bb00";
        const string LongOperands = "000000TT?2222220?0100TT00?0?T00";
        const string Taken =
            "000000000011110010010000000000000000?110vvv01122222222220112222222222111111111111222222222222222"
            + "222221111111111v210v111??111120012111111111111122222222222233333333231?????????????11111111?????"
            + "??11??1?????????01111122222200021";
        const string LongTaken = "02222201?0010011?10001033?0?010";
        const string Put =
            "001111111100001101101111111111111111?200vv000000000000000000000000000011111111111000000011111111"
            + "111111111111111v0111111??101101100111111111111111111111111100000000101?????????????11111111?????"
            + "??11??1?????????11111111111100001";
        const string LongPut = "11111111?1101101?00000000?0?110";

        /// <summary>The operation at a place.</summary>
        internal static int Operation(byte[] code, int at)
        {
            if (code[at] != 0xfe) return code[at];
            if (at + 1 >= code.Length) throw new FormatException("half an operation");
            return Long | code[at + 1];
        }

        /// <summary>See Operands.</summary>
        internal static char Operand(int operation)
        {
            return In(operation, Operands, LongOperands);
        }

        /// <summary>How many values it takes from the stack; -1: that depends on its operand.</summary>
        internal static int TakenBy(int operation)
        {
            char count = In(operation, Taken, LongTaken);
            return count == 'v' ? -1 : count - '0';
        }

        internal static int PutBy(int operation)
        {
            char count = In(operation, Put, LongPut);
            return count == 'v' ? -1 : count - '0';
        }

        static char In(int operation, string table, string longTable)
        {
            int at = operation & 0xff;
            string from = operation >= Long ? longTable : table;
            if (at >= from.Length || from[at] == '?') throw new FormatException("no such operation: " + operation);
            return from[at];
        }

        /// <summary>Of the instruction with its operand.</summary>
        internal static int Length(byte[] code, int at)
        {
            int operation = Operation(code, at);
            int head = operation >= Long ? 2 : 1;
            int length = head + OperandLength(code, at + head, Operand(operation));
            if (length <= 0 || at + length > code.Length) throw new FormatException("an operand goes beyond the end");
            return length;
        }

        static int OperandLength(byte[] code, int at, char operand)
        {
            switch (operand)
            {
                case 'b': return 1;
                case 'B': case 'T': return 4;
                case 'S':
                    int count = Number(code, at);
                    if (count < 0 || count > code.Length / 4) throw new FormatException("a switch goes beyond the end");
                    return 4 + 4 * count;
                default: return operand - '0';
            }
        }

        /// <summary>Where it may go on other than behind itself; for most operations nowhere.</summary>
        internal static int[] Targets(byte[] code, int at)
        {
            int operation = Operation(code, at);
            char operand = Operand(operation);
            int next = at + Length(code, at);
            int operandAt = at + (operation >= Long ? 2 : 1);
            if (operand == 'b') return new[] { next + (sbyte)code[operandAt] };
            if (operand == 'B') return new[] { next + Number(code, operandAt) };
            if (operand != 'S') return None;
            var targets = new int[Number(code, operandAt)];
            for (int each = 0; each < targets.Length; each++)
                targets[each] = next + Number(code, operandAt + 4 + 4 * each);
            return targets;
        }

        static readonly int[] None = { };

        internal static int Number(byte[] code, int at)
        {
            if (at < 0 || at + 4 > code.Length) throw new FormatException("an operand goes beyond the end");
            return code[at] | code[at + 1] << 8 | code[at + 2] << 16 | code[at + 3] << 24;
        }

        /// <summary>The token of an instruction that has one.</summary>
        internal static int Token(byte[] code, int at)
        {
            return Number(code, at + (code[at] == 0xfe ? 2 : 1));
        }

        /// <summary>The variable or argument of a load, store or address; -1: the operation has none.</summary>
        internal static int Slot(byte[] code, int at)
        {
            int operation = Operation(code, at);
            if (operation >= 0x02 && operation <= 0x0d) return (operation - 2) & 3;
            if (operation >= 0x0e && operation <= 0x13) return code[at + 1];
            if (operation >= Op.LdargLong && operation <= Op.StlocLong) return code[at + 2] | code[at + 3] << 8;
            return -1;
        }
    }
}
