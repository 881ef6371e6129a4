using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Health;
using Substrate.Meta;

namespace Substrate.Code
{
    // The instructions of a method, looked at without running anything.
    sealed class MethodCode
    {
        internal readonly MethodBase Method;
        internal readonly byte[] Bytes;
        internal readonly int MaxStack;
        internal readonly IList<LocalVariableInfo> Locals;
        internal readonly IList<ExceptionHandlingClause> Handlers;

        MethodCode(MethodBase method, MethodBody body, byte[] bytes)
        {
            Method = method;
            Bytes = bytes;
            MaxStack = body.MaxStackSize;
            Locals = body.LocalVariables;
            Handlers = body.ExceptionHandlingClauses;
        }

        // Null: there is none (abstract, native, made at run time, cut away).
        internal static MethodCode Of(MethodBase method)
        {
            try
            {
                MethodImplAttributes flags = method.GetMethodImplementationFlags();
                if (!Loaded.CanTellCode(method)) return null;
                if (method.IsAbstract || (flags & MethodImplAttributes.CodeTypeMask) != 0) return null;
                MethodBody body = method.GetMethodBody();
                byte[] bytes = body == null ? null : body.GetILAsByteArray();
                return bytes == null || bytes.Length == 0 ? null : new MethodCode(method, body, bytes);
            }
            catch (Exception discarded)
            {
                Discarded.Count("MethodCode.Of", discarded);
                return null;
            }
        }

        // A hook that nobody has filled.
        internal bool IsEmpty
        {
            get
            {
                bool isLong = Bytes.Length > 2 || Bytes.Length == 2 && Bytes[0] != Op.Nop;
                return !isLong && Bytes[Bytes.Length - 1] == Op.Ret;
            }
        }

        // It may refuse: to know that is worth a call.
        internal bool Throws
        {
            get
            {
                for (int at = 0; at < Bytes.Length; at += Il.Length(Bytes, at))
                    if (Il.Operation(Bytes, at) == Op.Throw) return true;
                return false;
            }
        }

        // It gives a field of its object, which the state shows.
        internal bool IsPlainGetter
        {
            get { return GivenFieldAt >= 0 && !Method.IsStatic; }
        }

        // Where the instruction is that reads the field, of a method that does nothing but give one of its object or
        // type; else -1. What compilers add for debuggers does not count.
        internal int GivenFieldAt
        {
            get
            {
                if (Bytes.Length > 16) return -1;
                var telling = new List<int>();
                for (int at = 0; at < Bytes.Length; at += Il.Length(Bytes, at))
                {
                    int operation = Il.Operation(Bytes, at);
                    bool isForDebuggers = operation == Op.Nop || operation == Op.Stloc0 || operation == Op.Ldloc0
                        || operation == Op.BrShort;
                    if (!isForDebuggers) telling.Add(at);
                }
                int field = Method.IsStatic ? 0 : 1;
                if (telling.Count != field + 2 || Bytes[telling[field + 1]] != Op.Ret) return -1;
                bool isGiven = Bytes[telling[field]] == (Method.IsStatic ? Op.Ldsfld : Op.Ldfld);
                return isGiven && (Method.IsStatic || Bytes[telling[0]] == Op.Ldarg0) ? telling[field] : -1;
            }
        }
    }
}
