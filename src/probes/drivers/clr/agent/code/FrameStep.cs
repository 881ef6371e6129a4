using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Meta;

namespace Substrate.Code
{
    // What one instruction does to the frame, and to the app.
    sealed class FrameStep
    {
        readonly MethodBase method;
        readonly byte[] code;
        readonly IList<LocalVariableInfo> locals;
        readonly Tokens tokens;
        readonly LocalsScan scan;
        readonly CallStep calls;

        internal FrameStep(MethodCode method, Tokens tokens, LocalsScan scan)
        {
            this.method = method.Method;
            this.tokens = tokens;
            this.scan = scan;
            code = method.Bytes;
            locals = method.Locals;
            calls = new CallStep(method, tokens, scan);
        }

        // `facts`: where to note what the app would see of it; null: nowhere yet.
        internal void Run(Frame frame, int at, CodeFacts facts)
        {
            int operation = Il.Operation(code, at);
            if (calls.Run(frame, operation, at, facts)) return;
            if (RunVariable(frame, operation, at)) return;
            if (operation >= Op.Ldfld && operation <= Op.Stfld) Field(frame, operation, at, facts);
            else if (operation >= Op.Ldsfld && operation <= Op.Stsfld) StaticField(frame, operation, at, facts);
            else if (IsStoreByAddress(operation)) StoreByAddress(frame, operation, at, facts);
            else if (operation >= Op.StelemI && operation <= Op.StelemRef || operation == Op.Stelem)
                StoreElement(frame, facts);
            else Rest(frame, operation, at, facts);
        }

        // Of a type that a compiler made: `<>c__DisplayClass1_0`, `<Find>d__3`.
        internal static bool IsClosure(Type type)
        {
            return type != null && type.IsNested && type.Name.IndexOf('<') >= 0;
        }

        bool RunVariable(Frame frame, int operation, int at)
        {
            bool isShortLoad = operation >= Op.Ldarg0 && operation <= Op.Ldarg3;
            if (isShortLoad || operation == Op.LdargShort || operation == Op.LdargLong)
            {
                int slot = Il.Slot(code, at);
                frame.Push(scan.LooseArguments.Contains(slot) ? ValueOrigin.Other : frame.Arguments[slot]);
            }
            else if (operation >= Op.Ldloc0 && operation <= Op.Ldloc3 || operation == Op.LdlocShort
                || operation == Op.LdlocLong)
            {
                int slot = Il.Slot(code, at);
                // An async method hands out the address of its closure, which stays what it is.
                bool isClosure = scan.LooseLocals.Contains(slot) && IsClosure(locals[slot].LocalType);
                long loose = isClosure ? ValueOrigin.Closure : ValueOrigin.Other;
                frame.Push(scan.LooseLocals.Contains(slot) ? loose : frame.Locals[slot]);
            }
            else if (operation >= Op.Stloc0 && operation <= Op.Stloc3 || operation == Op.StlocShort
                || operation == Op.StlocLong)
                frame.Locals[Il.Slot(code, at)] = frame.Pop();
            else if (operation == Op.StargShort || operation == Op.StargLong)
                frame.Arguments[Il.Slot(code, at)] = frame.Pop();
            else if (operation == Op.LdargaShort || operation == Op.LdargaLong || operation == Op.LdlocaShort
                || operation == Op.LdlocaLong) frame.Push(ValueOrigin.Local);
            else return false;
            return true;
        }

        void Field(Frame frame, int operation, int at, CodeFacts facts)
        {
            FieldInfo field = FieldAt(at);
            long value = operation == Op.Stfld ? frame.Pop() : ValueOrigin.Other;
            long holder = frame.Pop();
            if (facts != null) facts.Handle(field.FieldType);
            if (operation == Op.Stfld)
            {
                if (facts != null) facts.Add("field", holder, value, field.Name);
                return;
            }
            if (facts != null)
            {
                facts.ReadsSequence |= MayBeLazy(field);
                bool isOfThis = (holder & (ValueOrigin.This | ValueOrigin.Part)) != 0;
                if (isOfThis && !scan.Compared.Contains(at)) facts.Reads.Add(field.Name);
            }
            frame.Push(operation == Op.Ldflda ? AddressIn(holder) : ReadFrom(holder, field));
        }

        // What a compiler keeps for an iterator comes from the method itself.
        static bool MayBeLazy(FieldInfo field)
        {
            Type type = field.FieldType;
            return !IsClosure(field.DeclaringType) && type.IsInterface
                && (type.Name.StartsWith("IEnumerable", StringComparison.Ordinal)
                    || type.Name.IndexOf("Queryable", StringComparison.Ordinal) > 0);
        }

        static long AddressIn(long holder)
        {
            const long Own = ValueOrigin.This | ValueOrigin.Part;
            const long OfCall = ValueOrigin.Fresh | ValueOrigin.Local | ValueOrigin.Closure;
            long address = (holder & Own) != 0 ? ValueOrigin.Part : 0;
            if ((holder & OfCall) != 0) address |= ValueOrigin.Local;
            bool isElse = (holder & ~(Own | OfCall | ValueOrigin.Constant)) != 0;
            return isElse || address == 0 ? address | ValueOrigin.Other : address;
        }

        static long ReadFrom(long holder, FieldInfo field)
        {
            const long Own = ValueOrigin.This | ValueOrigin.Part;
            if (!IsClosure(field.DeclaringType)) return ValueOrigin.Mapped(holder, Own, ValueOrigin.Held);
            string name = field.Name;
            bool isThis = name == "<>4__this" || name == "$this" || name == "<>f__this";
            bool isOuter = name.StartsWith("CS$<>8__locals", StringComparison.Ordinal)
                || name.StartsWith("<>f__ref$", StringComparison.Ordinal);
            long within = isThis ? ValueOrigin.This : isOuter ? ValueOrigin.Closure : ValueOrigin.Other;
            long read = (holder & Own) != 0 ? ValueOrigin.Held : 0;
            if ((holder & (ValueOrigin.Closure | ValueOrigin.Local)) != 0) read |= within;
            bool isElse = (holder & ~(Own | ValueOrigin.Closure | ValueOrigin.Local | ValueOrigin.Constant)) != 0;
            return isElse || read == 0 ? read | ValueOrigin.Other : read;
        }

        void StaticField(Frame frame, int operation, int at, CodeFacts facts)
        {
            FieldInfo field = FieldAt(at);
            bool isCache = IsCacheOfLambda(field);
            bool isOwn = method.IsStatic && field.DeclaringType == method.DeclaringType;
            if (facts != null)
            {
                facts.Handle(field.FieldType);
                facts.ReadsSequence |= operation != Op.Stsfld && MayBeLazy(field);
                bool isOwnInitialiser = isOwn && method.Name == ".cctor";
                if (!isOwnInitialiser) facts.StaticsOf.Add(field.DeclaringType);
                if (isOwn && operation == Op.Ldsfld && !scan.Compared.Contains(at)) facts.Reads.Add(field.Name);
            }
            if (operation == Op.Ldsfld) frame.Push(isCache ? ValueOrigin.Function : ReadStatic(field, isOwn));
            else if (operation == Op.Ldsflda) frame.Push(isOwn ? ValueOrigin.Part : ValueOrigin.Other);
            else StoreStatic(field, frame.Pop(), isOwn, facts);
        }

        static long ReadStatic(FieldInfo field, bool isOwn)
        {
            if (IsClosure(field.FieldType)) return ValueOrigin.Closure;
            // `string.Empty`, `decimal.Zero`.
            bool isConstant = field.IsInitOnly && IsScalar(field.FieldType) && Frameworks.Is(field.DeclaringType);
            return isConstant ? ValueOrigin.Constant : isOwn ? ValueOrigin.Held : ValueOrigin.Other;
        }

        static bool IsScalar(Type type)
        {
            return type.IsPrimitive || type == typeof(string) || type.IsValueType && type.Namespace == "System";
        }

        // For a static method the static fields of its type are what the fields of its object are for another.
        void StoreStatic(FieldInfo field, long value, bool isOwn, CodeFacts facts)
        {
            bool isOwnInitialiser = isOwn && method.Name == ".cctor";
            if (facts == null || isOwnInitialiser || IsCacheOfLambda(field)) return;
            facts.Add("field", isOwn ? ValueOrigin.This : ValueOrigin.Other, value, field.Name);
        }

        // Where compilers keep a lambda that captures nothing; its body is named in the same method.
        static bool IsCacheOfLambda(FieldInfo field)
        {
            string name = field.Name;
            bool isNamed = name.StartsWith("<>9__", StringComparison.Ordinal)
                || name.StartsWith("<>f__am$cache", StringComparison.Ordinal)
                || name.StartsWith("<>f__mg$cache", StringComparison.Ordinal)
                || name.IndexOf(">__", StringComparison.Ordinal) > 0;
            return isNamed && typeof(Delegate).IsAssignableFrom(field.FieldType);
        }

        FieldInfo FieldAt(int at)
        {
            FieldInfo field = tokens.Field(method, Il.Token(code, at));
            if (field == null) throw new FormatException("a field that cannot be told");
            return field;
        }

        static bool IsStoreByAddress(int operation)
        {
            return operation >= Op.StindRef && operation <= Op.StindR8 || operation == Op.StindI
                || operation == Op.Stobj
                || operation == Op.Cpobj || operation == Op.Initobj;
        }

        void StoreByAddress(Frame frame, int operation, int at, CodeFacts facts)
        {
            if (operation != Op.Initobj) frame.Pop();
            long address = frame.Pop();
            if (facts != null) facts.Add("address", address, 0, null);
        }

        static void StoreElement(Frame frame, CodeFacts facts)
        {
            frame.Pop();
            frame.Pop();
            long array = frame.Pop();
            if (facts != null) facts.Add("element", array, 0, null);
        }

        void Rest(Frame frame, int operation, int at, CodeFacts facts)
        {
            switch (operation)
            {
                case Op.Dup:
                    long top = frame.Pop();
                    frame.Push(top);
                    frame.Push(top);
                    return;
                case Op.Castclass: case Op.Isinst: case Op.UnboxAny: case Op.Box:
                    if (facts != null) facts.Handle(TypeAt(at));
                    return;
                case Op.Newarr:
                    frame.Pop();
                    frame.Push(ValueOrigin.Fresh);
                    return;
                case Op.Ldelema:
                    frame.Pop();
                    frame.Push(ElementOf(frame.Pop()));
                    return;
                case Op.Jmp: case Op.Calli: case Op.Arglist: case Op.Localloc:
                case Op.Cpblk: case Op.Initblk: case Op.Refanyval: case Op.Mkrefany:
                    throw new FormatException("what it does cannot be followed");
                case Op.Ret:
                    return;
            }
            // From one number to another: the value stays what the caller gave.
            bool isConversion = operation >= Op.ConvI1 && operation <= Op.ConvU8 || operation == Op.ConvRUn
                || operation >= 0xd1 && operation <= 0xd5 || operation >= 0x82 && operation <= 0x8b
                || operation >= 0xb3 && operation <= 0xba || operation == 0xe0;
            if (isConversion) return;
            int taken = Il.TakenBy(operation);
            for (int count = 0; count < taken; count++) frame.Pop();
            bool isConstant = operation >= Op.Ldnull && operation <= Op.LdcR8 || operation == Op.Ldstr;
            int put = Il.PutBy(operation);
            for (int count = 0; count < put; count++) frame.Push(isConstant ? ValueOrigin.Constant : ValueOrigin.Other);
        }

        static long ElementOf(long array)
        {
            if (ValueOrigin.IsOnly(array, ValueOrigin.Fresh)) return ValueOrigin.Local;
            return ValueOrigin.IsOnly(array, ValueOrigin.Held) ? ValueOrigin.Part : ValueOrigin.Other;
        }

        Type TypeAt(int at)
        {
            return tokens.Type(method, Il.Token(code, at));
        }
    }
}
