using System;
using System.Collections.Generic;
using System.Reflection;

namespace Substrate.Code
{
    // Follows the values through the instructions of one method, until nothing more is learned.
    sealed class Flow
    {
        const int MaxCode = 6000;
        const int MaxSteps = 40000;
        const int MaxVariables = 400;
        const int MaxHandlers = 60;

        readonly MethodCode method;
        readonly byte[] code;
        readonly LocalsScan scan;
        // What is known before each instruction; null: not reached.
        readonly Frame[] known;
        readonly Queue open = new Queue();
        readonly FrameStep step;

        Flow(MethodCode method, Tokens tokens)
        {
            this.method = method;
            code = method.Bytes;
            scan = new LocalsScan(method, tokens);
            known = new Frame[code.Length];
            step = new FrameStep(method, tokens, scan);
        }

        internal static CodeFacts Of(MethodCode method, Tokens tokens)
        {
            bool isFar = method == null || method.Bytes.Length > MaxCode || method.MaxStack > MaxVariables
                || method.Locals.Count > MaxVariables || method.Handlers.Count > MaxHandlers;
            if (isFar) return CodeFacts.Opaque;
            try
            {
                return new Flow(method, tokens).Facts();
            }
            catch (Exception)
            {
                // Malformed, or it names what is not there.
                return CodeFacts.Opaque;
            }
        }

        CodeFacts Facts()
        {
            Reach(0, Entry());
            for (int steps = 0; !open.IsEmpty; steps++)
            {
                if (steps > MaxSteps) return CodeFacts.Opaque;
                int at = open.Take();
                Frame before = known[at];
                Frame after = before.Copy();
                step.Run(after, at, null);
                ReachHandlers(at, before);
                ReachHandlers(at, after);
                Follow(at, after);
            }
            var facts = new CodeFacts();
            foreach (ParameterInfo parameter in method.Method.GetParameters()) facts.Handle(parameter.ParameterType);
            for (int at = 0; at < code.Length; at++) if (known[at] != null) step.Run(known[at].Copy(), at, facts);
            return facts;
        }

        Frame Entry()
        {
            int own = method.Method.IsStatic ? 0 : 1;
            int count = own + method.Method.GetParameters().Length;
            var frame = new Frame(count, method.Locals.Count, method.MaxStack);
            for (int at = own; at < count; at++) frame.Arguments[at] = ValueOrigin.Argument;
            if (own == 1)
                frame.Arguments[0] = FrameStep.IsClosure(method.Method.DeclaringType) ? ValueOrigin.Closure : ValueOrigin.This;
            return frame;
        }

        // An exception may come before or after any instruction that is watched.
        void ReachHandlers(int at, Frame frame)
        {
            foreach (ExceptionHandlingClause clause in method.Handlers)
            {
                if (at < clause.TryOffset || at >= clause.TryOffset + clause.TryLength) continue;
                Frame entry = frame.Copy();
                entry.Clear();
                bool isFilter = clause.Flags == ExceptionHandlingClauseOptions.Filter;
                if (isFilter || clause.Flags == ExceptionHandlingClauseOptions.Clause) entry.Push(ValueOrigin.Other);
                if (isFilter) Reach(clause.FilterOffset, entry);
                Reach(clause.HandlerOffset, entry);
            }
        }

        void Follow(int at, Frame after)
        {
            int operation = Il.Operation(code, at);
            bool ends = operation == Op.Ret || operation == Op.Throw || operation == Op.Rethrow
                || operation == Op.Endfinally
                || operation == Op.Endfilter || operation == Op.Jmp;
            if (ends) return;
            if (operation == Op.Leave || operation == Op.LeaveShort) after.Clear();
            foreach (int target in Il.Targets(code, at)) Reach(target, after);
            bool isJump = operation == Op.Br || operation == Op.BrShort || operation == Op.Leave
                || operation == Op.LeaveShort;
            if (!isJump) Reach(at + Il.Length(code, at), after);
        }

        void Reach(int at, Frame frame)
        {
            if (at < 0 || at >= code.Length || !scan.IsStart[at]) throw new FormatException("a jump to nowhere");
            Frame before = known[at];
            if (before == null) known[at] = frame.Copy();
            else if (!before.Merge(frame)) return;
            open.Add(at);
        }

        // Places to look at, each once at a time.
        sealed class Queue
        {
            readonly List<int> places = new List<int>();
            readonly HashSet<int> waiting = new HashSet<int>();

            internal bool IsEmpty
            {
                get { return places.Count == 0; }
            }

            internal void Add(int place)
            {
                if (waiting.Add(place)) places.Add(place);
            }

            internal int Take()
            {
                int place = places[places.Count - 1];
                places.RemoveAt(places.Count - 1);
                waiting.Remove(place);
                return place;
            }
        }
    }
}
