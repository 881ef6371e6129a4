using System;
using System.Reflection;
using System.Reflection.Emit;

namespace Substrate.Read
{
    // The fields of one type, read all at once: by reflection at first, and by one emitted method when objects of the
    // type are read often.
    sealed class Fields
    {
        delegate int Code(object target, Slot[] slots, int from, Sink sink);

        internal static readonly Fields None = new Fields(new Slot[0]);
        internal const int Done = -1;
        static readonly FieldInfo names = typeof(Slot).GetField("Names", BindingFlags.Instance | BindingFlags.NonPublic);
        const int Often = 64;
        // A method for more fields takes too long to compile.
        const int MaxEmitted = 300;
        internal readonly Slot[] Slots;
        // True if reflection would run an initialiser of the app that has not run yet: CoreCLR does that for any field.
        readonly bool isWary;
        int uses;
        Code code;

        internal Fields(Slot[] slots)
        {
            Slots = slots;
            foreach (Slot slot in slots) isWary |= InitialiserCheck.MayRun(slot.Field);
            if (slots.Length > MaxEmitted && !isWary) uses = -1;
        }

        // Passes on the fields from number `from`; returns the number of the one that was refused, or Done.
        internal int Read(object target, int from, Sink sink)
        {
            if (code == null && uses >= 0 && (isWary || ++uses > Often)) Emit();
            if (code != null) return code(target, Slots, from, sink);
            for (int at = from; at < Slots.Length; at++)
            {
                if (isWary && InitialiserCheck.MayRun(Slots[at].Field)) continue;
                Pushes.Name(Slots[at], sink);
                if (!Slots[at].Push(target, sink)) return at;
            }
            return Done;
        }

        void Emit()
        {
            try
            {
                DynamicMethod method = Emitter.Method("fields", typeof(int), typeof(object), typeof(Slot[]),
                    typeof(int), typeof(Sink));
                ILGenerator il = method.GetILGenerator();
                for (int at = 0; at < Slots.Length; at++) Emit(il, at);
                il.Emit(OpCodes.Ldc_I4, Done);
                il.Emit(OpCodes.Ret);
                code = (Code)method.CreateDelegate(typeof(Code));
            }
            catch (Exception discarded)
            {
                // Code cannot be emitted here, or not for this type: reflection is used.
                Emitter.Failed("Fields.Emit", discarded);
                uses = -1;
            }
        }

        void Emit(ILGenerator il, int at)
        {
            Slot slot = Slots[at];
            Label next = il.DefineLabel();
            il.Emit(OpCodes.Ldarg_2);
            il.Emit(OpCodes.Ldc_I4, at);
            il.Emit(OpCodes.Bgt, next);
            var emitter = new Emitter(il, 3, code =>
            {
                LoadSlot(code, at);
                code.Emit(OpCodes.Ldfld, names);
            });
            LoadSlot(il, at);
            emitter.Name();
            emitter.Push(slot.Field.FieldType, () => Address(il, slot), slot.ShowsNull);
            il.Emit(OpCodes.Brtrue, next);
            il.Emit(OpCodes.Ldc_I4, at);
            il.Emit(OpCodes.Ret);
            il.MarkLabel(next);
        }

        static void LoadSlot(ILGenerator il, int at)
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldc_I4, at);
            il.Emit(OpCodes.Ldelem_Ref);
        }

        static void Address(ILGenerator il, Slot slot)
        {
            if (slot.Field.IsStatic)
            {
                il.Emit(OpCodes.Ldsflda, slot.Field);
                return;
            }
            il.Emit(OpCodes.Ldarg_0);
            if (slot.Field.DeclaringType.IsValueType) il.Emit(OpCodes.Unbox, slot.Field.DeclaringType);
            il.Emit(OpCodes.Ldflda, slot.Field);
        }
    }
}
