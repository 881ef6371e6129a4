using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Meta;

namespace Substrate.Code
{
    // What instructions that call, make objects and make delegates do to the frame.
    sealed class CallStep
    {
        const BindingFlags Any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance;
        readonly MethodBase method;
        readonly byte[] code;
        readonly Tokens tokens;
        readonly LocalsScan scan;
        // Of calls, by where they are.
        readonly Dictionary<int, int> numbers = new Dictionary<int, int>();

        internal CallStep(MethodCode method, Tokens tokens, LocalsScan scan)
        {
            this.method = method.Method;
            this.tokens = tokens;
            this.scan = scan;
            code = method.Bytes;
        }

        // False: the instruction is none of these.
        internal bool Run(Frame frame, int operation, int at, CodeFacts facts)
        {
            if (operation == Op.Call || operation == Op.Callvirt) Invoke(frame, operation, at, facts);
            else if (operation == Op.Newobj) Make(frame, at, facts);
            else if (operation == Op.Ldftn || operation == Op.Ldvirtftn) Function(frame, operation, at, facts);
            else return false;
            return true;
        }

        MethodBase MethodAt(int at)
        {
            MethodBase called = tokens.Method(method, Il.Token(code, at));
            if (called == null || called.DeclaringType == null)
                throw new FormatException("a method that cannot be told");
            if ((called.CallingConvention & CallingConventions.VarArgs) == CallingConventions.VarArgs)
                throw new FormatException("any number of arguments");
            return called;
        }

        // Of a call of the framework; -1: it is none.
        int NumberOf(int at, MethodBase called)
        {
            if (!Frameworks.Is(called.DeclaringType)) return -1;
            int number;
            if (!numbers.TryGetValue(at, out number)) numbers[at] = number = numbers.Count;
            return number;
        }

        static long[] PopArguments(Frame frame, MethodBase called)
        {
            var origins = new long[called.GetParameters().Length];
            for (int at = origins.Length - 1; at >= 0; at--) origins[at] = frame.Pop();
            return origins;
        }

        void Invoke(Frame frame, int operation, int at, CodeFacts facts)
        {
            MethodBase called = MethodAt(at);
            long[] arguments = PopArguments(frame, called);
            long receiver = called.IsStatic ? ValueOrigin.Other : frame.Pop();
            int constraint;
            Type constrained = scan.Constraints.TryGetValue(at, out constraint) ? tokens.Type(method, constraint)
                : null;
            var call = new Call(called, operation == Op.Call, receiver, arguments, constrained, NumberOf(at, called));
            var info = called as MethodInfo;
            Type result = info == null ? typeof(void) : info.ReturnType;
            if (facts != null)
            {
                facts.Calls.Add(call);
                facts.Handle(result);
                facts.Handle(constrained);
                AddStarted(called, facts);
            }
            if (result == typeof(void)) return;
            string field = OwnFieldGivenBy(call);
            if (facts != null && field != null) facts.Reads.Add(field);
            frame.Push(field != null ? ValueOrigin.Held
                : call.Result < 0 ? ValueOrigin.Other : ValueOrigin.OfCall(call.Result));
        }

        // The field of `this` that a property gives, whose getter does nothing else; null: it is something else.
        string OwnFieldGivenBy(Call call)
        {
            MethodBase called = call.Method;
            if (!called.IsSpecialName || called.GetParameters().Length > 0 || Frameworks.Is(called.DeclaringType))
                return null;
            bool isOwn = called.IsStatic ? method.IsStatic && called.DeclaringType == method.DeclaringType
                : ValueOrigin.IsOnly(call.Receiver, ValueOrigin.This);
            bool isFixed = !called.IsVirtual || called.IsFinal || called.DeclaringType.IsSealed;
            return isOwn && isFixed ? tokens.FieldGivenBy(called) : null;
        }

        // An async method begins by having its state machine started: the work is there.
        static void AddStarted(MethodBase called, CodeFacts facts)
        {
            bool isStart = called.Name == "Start" && called.IsGenericMethod
                && called.DeclaringType.Name.IndexOf("MethodBuilder", StringComparison.Ordinal) >= 0;
            if (!isStart) return;
            Type machine = called.GetGenericArguments()[0];
            MethodInfo work = machine.IsGenericParameter ? null
                : machine.GetMethod("MoveNext", Any, null, Type.EmptyTypes, null);
            if (work == null) facts.IsOpaque = true;
            else facts.Calls.Add(Call.Body(work, true, ValueOrigin.Closure));
        }

        void Make(Frame frame, int at, CodeFacts facts)
        {
            MethodBase called = MethodAt(at);
            Type type = called.DeclaringType;
            long[] arguments = PopArguments(frame, called);
            if (typeof(Delegate).IsAssignableFrom(type))
            {
                // The second argument is the function, pushed just before.
                bool isKnown = arguments.Length == 2 && ValueOrigin.IsOnly(arguments[1], ValueOrigin.Function);
                frame.Push(isKnown ? ValueOrigin.Function : ValueOrigin.Other);
                return;
            }
            long made = IsClosure(type) ? ValueOrigin.Closure : ValueOrigin.Fresh;
            var call = new Call(called, true, made, arguments, null, NumberOf(at, called));
            if (facts != null)
            {
                facts.Calls.Add(call);
                facts.Handle(type);
                AddIterator(type, facts);
            }
            frame.Push(Made(call));
        }

        static bool IsClosure(Type type)
        {
            return FrameStep.IsClosure(type);
        }

        // A number or text in other clothes is still what the caller gave.
        static long Made(Call call)
        {
            Type type = call.Method.DeclaringType;
            bool isWrapped = Nullable.GetUnderlyingType(type) != null && call.Arguments.Length == 1;
            if (isWrapped) return call.Arguments[0];
            return call.Result < 0 ? call.Receiver : ValueOrigin.OfCall(call.Result);
        }

        // What `yield` makes does its work when somebody goes through it: that counts as done here.
        static void AddIterator(Type type, CodeFacts facts)
        {
            if (!IsClosure(type) || !typeof(System.Collections.IEnumerator).IsAssignableFrom(type)) return;
            MethodInfo work = type.GetMethod("MoveNext", Any, null, Type.EmptyTypes, null);
            if (work == null) facts.IsOpaque = true;
            else facts.Calls.Add(Call.Body(work, true, ValueOrigin.Closure));
        }

        // What the function will do counts as done here: it is only handed to what calls it at once.
        void Function(Frame frame, int operation, int at, CodeFacts facts)
        {
            MethodBase body = MethodAt(at);
            long target = ValueOrigin.Other;
            if (operation == Op.Ldvirtftn) target = frame.Pop();
            else if (!body.IsStatic)
            {
                // The object is on the stack, below the function.
                target = frame.Pop();
                frame.Push(target);
            }
            frame.Push(ValueOrigin.Function);
            if (facts == null) return;
            bool isExact = operation == Op.Ldftn;
            facts.Calls.Add(Call.Body(body, isExact, target));
        }
    }
}
