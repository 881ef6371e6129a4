using System;
using System.Reflection;
using Substrate.Meta;

namespace Substrate.Act
{
    // What instructions that call, make objects and make delegates do to the frame.
    sealed class CallStep
    {
        const BindingFlags Any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance;
        readonly MethodBase method;
        readonly byte[] code;
        readonly Tokens tokens;
        readonly LocalsScan survey;

        internal CallStep(MethodCode method, Tokens tokens, LocalsScan survey)
        {
            this.method = method.Method;
            this.tokens = tokens;
            this.survey = survey;
            code = method.Bytes;
        }

        // False: the instruction is none of these.
        internal bool Run(Frame frame, int operation, int at, MethodFacts facts)
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

        static byte[] PopArguments(Frame frame, MethodBase called)
        {
            var kinds = new byte[called.GetParameters().Length];
            for (int at = kinds.Length - 1; at >= 0; at--) kinds[at] = frame.Pop();
            return kinds;
        }

        void Invoke(Frame frame, int operation, int at, MethodFacts facts)
        {
            MethodBase called = MethodAt(at);
            byte[] arguments = PopArguments(frame, called);
            byte receiver = called.IsStatic ? ValueOrigin.Other : frame.Pop();
            int constraint;
            Type constrained = survey.Constraints.TryGetValue(at, out constraint) ? tokens.Type(method, constraint)
                : null;
            var call = new Call(called, operation == Op.Call, receiver, arguments, constrained);
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
            if (facts != null && field != null) facts.FieldsRead.Add(field);
            frame.Push(field == null ? FrameworkCalls.Result(call) : ValueOrigin.Held);
        }

        // The field of `this` that a property gives, whose getter does nothing else; null: it is something else.
        string OwnFieldGivenBy(Call call)
        {
            MethodBase called = call.Method;
            if (!called.IsSpecialName || called.GetParameters().Length > 0 || Frameworks.Is(called.DeclaringType))
                return null;
            bool isOwn = called.IsStatic ? method.IsStatic && called.DeclaringType == method.DeclaringType
                : call.Receiver == ValueOrigin.This;
            bool isFixed = !called.IsVirtual || called.IsFinal || called.DeclaringType.IsSealed;
            return isOwn && isFixed ? tokens.FieldGivenBy(called) : null;
        }

        // An async method begins by having its state machine started: the work is there.
        static void AddStarted(MethodBase called, MethodFacts facts)
        {
            bool isStart = called.Name == "Start" && called.IsGenericMethod
                && called.DeclaringType.Name.IndexOf("MethodBuilder", StringComparison.Ordinal) >= 0;
            if (!isStart) return;
            Type machine = called.GetGenericArguments()[0];
            MethodInfo work = machine.IsGenericParameter ? null
                : machine.GetMethod("MoveNext", Any, null, Type.EmptyTypes, null);
            if (work == null) facts.Raise(Effects.Unknown);
            else facts.Calls.Add(Call.Body(work, ValueOrigin.Closure));
        }

        void Make(Frame frame, int at, MethodFacts facts)
        {
            MethodBase called = MethodAt(at);
            Type type = called.DeclaringType;
            byte[] arguments = PopArguments(frame, called);
            if (typeof(Delegate).IsAssignableFrom(type))
            {
                // The second argument is the function, pushed just before.
                frame.Push(arguments.Length == 2 && arguments[1] == ValueOrigin.Function ? ValueOrigin.Function : ValueOrigin.Other);
                return;
            }
            var call = new Call(called, true, IsClosure(type) ? ValueOrigin.Closure : ValueOrigin.Fresh, arguments, null);
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
        static byte Made(Call call)
        {
            Type type = call.Method.DeclaringType;
            bool isWrapped = Nullable.GetUnderlyingType(type) != null && call.Arguments.Length == 1;
            if (isWrapped) return call.Arguments[0];
            return !Frameworks.Is(type) || FrameworkCalls.IsApart(call) ? call.Receiver : ValueOrigin.Other;
        }

        // What `yield` makes does its work when somebody goes through it: that counts as done here.
        static void AddIterator(Type type, MethodFacts facts)
        {
            if (!IsClosure(type) || !typeof(System.Collections.IEnumerator).IsAssignableFrom(type)) return;
            MethodInfo work = type.GetMethod("MoveNext", Any, null, Type.EmptyTypes, null);
            if (work == null) facts.Raise(Effects.Unknown);
            else facts.Calls.Add(Call.Body(work, ValueOrigin.Closure));
        }

        // What the function will do counts as done here: it is only handed to what calls it at once.
        void Function(Frame frame, int operation, int at, MethodFacts facts)
        {
            MethodBase body = MethodAt(at);
            byte target = ValueOrigin.Other;
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
            facts.Calls.Add(new Call(body, isExact, target, new byte[body.GetParameters().Length], null));
        }
    }
}
