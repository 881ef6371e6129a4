using System;
using System.Reflection;
using System.Reflection.Emit;

namespace Substrate.Read
{
    // Reads one place: a field of an object, an element of an array, or a field within those, however deep in structs.
    // By reflection at first; by emitted code after many reads.
    sealed class Accessor
    {
        delegate bool PushCode(object holder, int index, EnumNames names, Sink sink);
        delegate long WholeCode(object holder, int index);
        delegate object ObjectCode(object holder, int index);

        const BindingFlags All = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic
            | BindingFlags.DeclaredOnly;
        // Fewer reads are not worth the code.
        const int Often = 64;
        readonly Type element;
        readonly FieldInfo[] chain;
        internal readonly Type Type;
        // True if reflection must not be used here.
        readonly bool isWary;
        int uses;
        EnumNames names;
        PushCode push;
        WholeCode whole;
        ObjectCode get;

        Accessor(Type element, Type type, FieldInfo[] chain)
        {
            this.element = element;
            this.chain = chain;
            Type = type;
            foreach (FieldInfo field in chain) isWary |= InitialiserCheck.MayRun(field);
        }

        // The field of this name in the type or an ancestor; null if there is none.
        internal static Accessor Field(Type type, params string[] path)
        {
            FieldInfo[] chain = Chain(type, path);
            return chain == null ? null : new Accessor(null, chain[chain.Length - 1].FieldType, chain);
        }

        // Reads elements of a one-dimensional array, or fields of them.
        internal static Accessor Cell(Type array, params string[] path)
        {
            if (array == null || !array.IsArray || array.GetArrayRank() != 1) return null;
            Type element = array.GetElementType();
            FieldInfo[] chain = Chain(element, path);
            if (chain == null || chain.Length > 0 && !element.IsValueType) return null;
            return new Accessor(element, chain.Length == 0 ? element : chain[chain.Length - 1].FieldType, chain);
        }

        static FieldInfo[] Chain(Type type, string[] path)
        {
            var chain = new FieldInfo[path.Length];
            Type at = type;
            for (int step = 0; step < path.Length; step++)
            {
                chain[step] = Find(at, path[step]);
                if (chain[step] == null || step > 0 && !at.IsValueType) return null;
                at = chain[step].FieldType;
            }
            return chain;
        }

        // Alternative names of different versions: `_string|m_String`.
        internal static FieldInfo Find(Type type, string names)
        {
            foreach (string name in names.Split('|'))
                for (Type at = type; at != null; at = at.BaseType)
                {
                    FieldInfo field = at.GetField(name, All);
                    if (field != null) return field;
                }
            return null;
        }

        internal bool Push(object holder, int index, Sink sink)
        {
            if (element != null && chain.Length == 0 && !element.IsValueType)
                return sink.Value(((object[])holder)[index]);
            if (push == null && IsTime()) EmitPush();
            return push == null ? sink.Value(Reflect(holder, index)) : push(holder, index, names, sink);
        }

        // The value, boxed if needed.
        internal object Get(object holder, int index)
        {
            if (element != null && chain.Length == 0 && !element.IsValueType) return ((object[])holder)[index];
            if (get == null && (isWary || !Type.IsValueType) && IsTime()) EmitGet();
            return get == null ? Reflect(holder, index) : get(holder, index);
        }

        internal object Get(object holder)
        {
            return Get(holder, 0);
        }

        internal int Whole(object holder, int index)
        {
            if (whole == null && IsTime()) EmitWhole();
            long value = whole == null ? EnumNames.Bits(Reflect(holder, index) ?? 0) : whole(holder, index);
            return (int)Math.Max(int.MinValue, Math.Min(int.MaxValue, value));
        }

        internal int Whole(object holder)
        {
            return Whole(holder, 0);
        }

        bool IsTime()
        {
            return uses >= 0 && (isWary || ++uses > Often);
        }

        object Reflect(object holder, int index)
        {
            if (isWary) return null;
            object value = element == null ? holder : ((Array)holder).GetValue(index);
            foreach (FieldInfo field in chain) value = field.GetValue(value);
            return value;
        }

        void EmitPush()
        {
            Emit(() =>
            {
                DynamicMethod method = Emitter.Method("push", typeof(bool), typeof(object), typeof(int),
                    typeof(EnumNames), typeof(Sink));
                ILGenerator il = method.GetILGenerator();
                Type bare = Nullable.GetUnderlyingType(Type) ?? Type;
                if (bare.IsEnum) names = EnumNames.For(bare);
                new Emitter(il, 3, code => code.Emit(OpCodes.Ldarg_2)).Push(Type, () => Address(il), true);
                il.Emit(OpCodes.Ret);
                push = (PushCode)method.CreateDelegate(typeof(PushCode));
            });
        }

        void EmitWhole()
        {
            Emit(() =>
            {
                DynamicMethod method = Emitter.Method("whole", typeof(long), typeof(object), typeof(int));
                ILGenerator il = method.GetILGenerator();
                if (!new Emitter(il, 0, null).Whole(Type, () => Address(il))) throw new NotSupportedException();
                il.Emit(OpCodes.Ret);
                whole = (WholeCode)method.CreateDelegate(typeof(WholeCode));
            });
        }

        void EmitGet()
        {
            Emit(() =>
            {
                DynamicMethod method = Emitter.Method("get", typeof(object), typeof(object), typeof(int));
                ILGenerator il = method.GetILGenerator();
                Address(il);
                il.Emit(OpCodes.Ldobj, Type);
                if (Type.IsValueType) il.Emit(OpCodes.Box, Type);
                il.Emit(OpCodes.Ret);
                get = (ObjectCode)method.CreateDelegate(typeof(ObjectCode));
            });
        }

        void Emit(Action emission)
        {
            try
            {
                emission();
                uses = 0;
            }
            catch (Exception discarded)
            {
                // Code cannot be emitted here, or not for this type: reflection is used.
                Emitter.Failed("Accessor.Emit", discarded);
                uses = -1;
            }
        }

        void Address(ILGenerator il)
        {
            il.Emit(OpCodes.Ldarg_0);
            if (element != null)
            {
                il.Emit(OpCodes.Ldarg_1);
                il.Emit(OpCodes.Ldelema, element);
            }
            else if (chain[0].DeclaringType.IsValueType) il.Emit(OpCodes.Unbox, chain[0].DeclaringType);
            foreach (FieldInfo field in chain) il.Emit(OpCodes.Ldflda, field);
        }
    }

    // An object can exist before the initialiser of its type has run, which the first use of a static field triggers.
    // Reading a field of such an object by reflection runs it on CoreCLR; emitted code does not.
    static class InitialiserCheck
    {
        // True if reading the field by reflection may run code of the app.
        internal static bool MayRun(FieldInfo field)
        {
            return !field.IsStatic && field.DeclaringType.TypeInitializer != null
                && Ownership.Of(field.DeclaringType) != Owner.Framework;
        }
    }
}
