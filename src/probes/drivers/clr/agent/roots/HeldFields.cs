using System;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using Substrate.Meta;
using Substrate.Read;

namespace Substrate.Roots
{
    // The fields of one type that may lead to other objects, all read at once. By reflection at first, and by emitted
    // code when there are many objects of the type; by emitted code at once where reflection would run an initialiser
    // of the app.
    sealed class HeldFields
    {
        delegate void Code(object from, object[] into);

        const BindingFlags Declared = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic
            | BindingFlags.DeclaredOnly;
        const int Often = 200;
        const int MaxEmitted = 300;
        static readonly ConditionalWeakTable<Type, HeldFields> known = new ConditionalWeakTable<Type, HeldFields>();
        internal readonly FieldInfo[] Fields;
        readonly bool isWary;
        readonly bool isWhole;
        int uses;
        Code code;

        HeldFields(List<FieldInfo> fields, bool isWhole)
        {
            this.isWhole = isWhole;
            Fields = fields.ToArray();
            foreach (FieldInfo field in Fields) isWary |= Substrate.Read.InitialiserCheck.MayRun(field);
            if (Fields.Length > MaxEmitted && !isWary) uses = -1;
        }

        // Includes the fields of base types.
        internal static HeldFields Of(Type type)
        {
            HeldFields fields = known.GetValue(type, Find);
            // A type that is not loaded now may be at the next search.
            if (!fields.isWhole) known.Remove(type);
            return fields;
        }

        static HeldFields Find(Type type)
        {
            bool isMade = Generated.Is(type);
            bool isWhole = true;
            var all = new List<FieldInfo>();
            for (Type at = type; at != null && at != typeof(object); at = at.BaseType)
                foreach (FieldInfo field in at.GetFields(Declared))
                {
                    bool canRead = Loaded.CanRead(at, field);
                    isWhole &= canRead;
                    if (canRead && IsWanted(field.FieldType, isMade)) all.Add(field);
                }
            return new HeldFields(all, isWhole);
        }

        // All variables of a closure are wanted.
        static bool IsWanted(Type type, bool isMade)
        {
            return FieldAccess.MayLead(type) || isMade && !type.IsPointer && !type.IsByRef;
        }

        // The values, boxed; null also where one cannot be read.
        internal object[] Read(object from)
        {
            var values = new object[Fields.Length];
            if (code == null && uses >= 0 && (isWary || ++uses > Often)) Emit();
            if (code != null) code(from, values);
            else if (!isWary)
                for (int at = 0; at < values.Length; at++) values[at] = FieldAccess.Value(Fields[at], from);
            return values;
        }

        void Emit()
        {
            try
            {
                DynamicMethod method = Emitter.Method("held", typeof(void), typeof(object), typeof(object[]));
                ILGenerator il = method.GetILGenerator();
                for (int at = 0; at < Fields.Length; at++) Emit(il, at, Fields[at]);
                il.Emit(OpCodes.Ret);
                code = (Code)method.CreateDelegate(typeof(Code));
            }
            catch (Exception discarded)
            {
                // Code cannot be emitted here, or not for this type.
                Emitter.Failed("HeldFields.Emit", discarded);
                uses = -1;
            }
        }

        static void Emit(ILGenerator il, int at, FieldInfo field)
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldc_I4, at);
            il.Emit(OpCodes.Ldarg_0);
            if (field.DeclaringType.IsValueType) il.Emit(OpCodes.Unbox, field.DeclaringType);
            il.Emit(OpCodes.Ldfld, field);
            if (field.FieldType.IsValueType) il.Emit(OpCodes.Box, field.FieldType);
            il.Emit(OpCodes.Stelem_Ref);
        }
    }
}
