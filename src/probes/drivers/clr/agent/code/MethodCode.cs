using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Health;
using Substrate.Meta;

namespace Substrate.Code
{
    // The instructions of a method, read without running anything.
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

        // Null if there are none (abstract, native, made at run time, trimmed).
        internal static MethodCode Of(MethodBase method)
        {
            try
            {
                MethodImplAttributes flags = method.GetMethodImplementationFlags();
                if (!Loaded.CanReadCode(method)) return null;
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

        // True for an empty method, such as an unused hook.
        internal bool IsEmpty
        {
            get
            {
                bool isLong = Bytes.Length > 2 || Bytes.Length == 2 && Bytes[0] != Op.Nop;
                return !isLong && Bytes[Bytes.Length - 1] == Op.Ret;
            }
        }

        // True if it may refuse: such a call is worth trying.
        internal bool Throws
        {
            get
            {
                for (int at = 0; at < Bytes.Length; at += Il.Length(Bytes, at))
                    if (Il.Operation(Bytes, at) == Op.Throw) return true;
                return false;
            }
        }

        // True if it returns a field of its object, which the state shows.
        internal bool IsPlainGetter
        {
            get { return GivenFieldAt >= 0 && !Method.IsStatic; }
        }

        // The offset of the instruction that reads the field, for a method that only returns a field of its object or
        // type; otherwise -1. Instructions for debuggers do not count.
        internal int GivenFieldAt
        {
            get
            {
                if (Bytes.Length > 16) return -1;
                var relevant = new List<int>();
                for (int at = 0; at < Bytes.Length; at += Il.Length(Bytes, at))
                {
                    int operation = Il.Operation(Bytes, at);
                    bool isForDebuggers = operation == Op.Nop || operation == Op.Stloc0 || operation == Op.Ldloc0
                        || operation == Op.BrShort;
                    if (!isForDebuggers) relevant.Add(at);
                }
                int field = Method.IsStatic ? 0 : 1;
                if (relevant.Count != field + 2 || Bytes[relevant[field + 1]] != Op.Ret) return -1;
                bool isGiven = Bytes[relevant[field]] == (Method.IsStatic ? Op.Ldsfld : Op.Ldfld);
                return isGiven && (Method.IsStatic || Bytes[relevant[0]] == Op.Ldarg0) ? relevant[field] : -1;
            }
        }
    }
}
