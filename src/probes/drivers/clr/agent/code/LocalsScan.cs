using System.Collections.Generic;
using System.Reflection;
using Substrate.Meta;

namespace Substrate.Code
{
    // One look over the instructions of a method before their values are followed.
    sealed class LocalsScan
    {
        // Where instructions begin: to jump anywhere else is refused.
        internal readonly bool[] IsStart;
        // Nothing is known of these for long: something has their address, or a `finally` writes them.
        internal readonly HashSet<int> LooseLocals = new HashSet<int>();
        internal readonly HashSet<int> LooseArguments = new HashSet<int>();
        // Tokens of types, by where the calls are that they constrain.
        internal readonly Dictionary<int, int> Constraints = new Dictionary<int, int>();
        // Where fields are read only to be compared with an argument.
        internal readonly HashSet<int> Compared = new HashSet<int>();
        readonly byte[] code;

        internal LocalsScan(MethodCode method, Tokens tokens)
        {
            code = method.Bytes;
            IsStart = new bool[code.Length];
            var starts = new List<int>();
            for (int at = 0; at < code.Length; at += Il.Length(code, at))
            {
                IsStart[at] = true;
                starts.Add(at);
                Note(method, at);
            }
            for (int at = 0; at + 3 < starts.Count; at++) NoteComparison(method, tokens, starts, at);
        }

        void Note(MethodCode method, int at)
        {
            int operation = Il.Operation(code, at);
            switch (operation)
            {
                case Op.LdlocaShort: case Op.LdlocaLong:
                    LooseLocals.Add(Il.Slot(code, at));
                    break;
                case Op.LdargaShort: case Op.LdargaLong:
                    LooseArguments.Add(Il.Slot(code, at));
                    break;
                case Op.Constrained:
                    Constraints[at + Il.Length(code, at)] = Il.Token(code, at);
                    break;
                default:
                    bool isStore = operation >= Op.Stloc0 && operation <= Op.Stloc3 || operation == Op.StlocShort
                        || operation == Op.StlocLong;
                    if (isStore && IsInFinally(method, at)) LooseLocals.Add(Il.Slot(code, at));
                    break;
            }
        }

        static bool IsInFinally(MethodCode method, int at)
        {
            foreach (ExceptionHandlingClause clause in method.Handlers)
            {
                bool isCatch = clause.Flags == ExceptionHandlingClauseOptions.Clause;
                if (!isCatch && at >= clause.HandlerOffset && at < clause.HandlerOffset + clause.HandlerLength)
                    return true;
            }
            return false;
        }

        // `this.x == value`, in either order: it decides only whether what is there already is written again.
        void NoteComparison(MethodCode method, Tokens tokens, List<int> starts, int at)
        {
            if (!IsComparison(method, tokens, starts[at + 3])) return;
            bool isFieldFirst = IsField(starts, at) && IsArgument(starts[at + 2]);
            bool isFieldLast = IsArgument(starts[at]) && IsField(starts, at + 1);
            if (isFieldFirst) Compared.Add(starts[at + 1]);
            else if (isFieldLast) Compared.Add(starts[at + 2]);
        }

        bool IsField(List<int> starts, int at)
        {
            return code[starts[at]] == Op.Ldarg0 && code[starts[at + 1]] == Op.Ldfld;
        }

        bool IsArgument(int at)
        {
            return code[at] == Op.Ldarg0 + 1;
        }

        bool IsComparison(MethodCode method, Tokens tokens, int at)
        {
            int operation = Il.Operation(code, at);
            if (operation == Op.Ceq || operation == Op.Beq || operation == Op.BeqShort) return true;
            if (operation == Op.Bne || operation == Op.BneShort) return true;
            if (operation != Op.Call) return false;
            MethodBase called = tokens.Method(method.Method, Il.Token(code, at));
            if (called == null || called.DeclaringType == null || !Frameworks.Is(called.DeclaringType)) return false;
            return called.Name == "op_Equality" || called.Name == "op_Inequality" || called.Name == "Equals";
        }
    }
}
