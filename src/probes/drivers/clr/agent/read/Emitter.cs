using System;
using System.Reflection;
using System.Reflection.Emit;
using Substrate.Health;

namespace Substrate.Read
{
    // Emits the code that reads a value in its place and passes it to a sink. Reflection costs a box and a hundred
    // nanoseconds per field; emitted code next to nothing.
    sealed class Emitter
    {
        const BindingFlags Own = BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        const BindingFlags Instance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        static readonly MethodInfo name = typeof(Pushes).GetMethod("Name", Own);
        readonly ILGenerator il;
        readonly int sink;
        readonly Action<ILGenerator> loadNames;

        // `sink`: the index of that argument; `loadNames` puts the EnumNames of the value onto the stack.
        internal Emitter(ILGenerator il, int sink, Action<ILGenerator> loadNames)
        {
            this.il = il;
            this.sink = sink;
            this.loadNames = loadNames;
        }

        internal static DynamicMethod Method(string name, Type returns, params Type[] parameters)
        {
            return new DynamicMethod(name, returns, parameters, typeof(Emitter).Module, true);
        }

        // Reflection reads the values from now on.
        internal static void Failed(string place, Exception error)
        {
            Discarded.Count(place, error);
            if (error is PlatformNotSupportedException)
                Parts.Miss("emit", "no code can be made in this program: fields are read by reflection, which is slower");
        }

        // For a slot that is on the stack.
        internal void Name()
        {
            il.Emit(OpCodes.Ldarg, sink);
            il.Emit(OpCodes.Call, Emitter.name);
        }

        // `loadAddress` puts the address of the value onto the stack; leaves on the stack whether the sink took it.
        internal void Push(Type type, Action loadAddress, bool showsNull)
        {
            Type inner = Nullable.GetUnderlyingType(type);
            if (inner != null) Optional(type, inner, loadAddress);
            else if (type.IsEnum) Named(type, loadAddress);
            else if (!type.IsValueType) Reference(loadAddress, showsNull);
            else if (IsNamed(type, "System.DateOnly")) Inner(type, loadAddress, typeof(int), "Day");
            else if (IsNamed(type, "System.TimeOnly")) Inner(type, loadAddress, typeof(long), "Time");
            else Struct(type, loadAddress);
        }

        void Optional(Type type, Type inner, Action loadAddress)
        {
            Label none = il.DefineLabel();
            Label end = il.DefineLabel();
            loadAddress();
            il.Emit(OpCodes.Ldfld, Field(type, "hasValue"));
            il.Emit(OpCodes.Brfalse, none);
            Push(inner, () =>
            {
                loadAddress();
                il.Emit(OpCodes.Ldflda, Field(type, "value"));
            }, true);
            il.Emit(OpCodes.Br, end);
            il.MarkLabel(none);
            il.Emit(OpCodes.Ldarg, sink);
            il.Emit(OpCodes.Call, typeof(Pushes).GetMethod("Null", Own));
            il.MarkLabel(end);
        }

        void Named(Type type, Action loadAddress)
        {
            loadAddress();
            Widen(Enum.GetUnderlyingType(type));
            loadNames(il);
            il.Emit(OpCodes.Ldarg, sink);
            il.Emit(OpCodes.Call, typeof(Pushes).GetMethod("Named", Own));
        }

        void Reference(Action loadAddress, bool showsNull)
        {
            loadAddress();
            il.Emit(OpCodes.Ldind_Ref);
            if (showsNull) Call(typeof(object));
            else
            {
                il.Emit(OpCodes.Ldarg, sink);
                il.Emit(OpCodes.Call, typeof(Pushes).GetMethod("IfAny", Own));
            }
        }

        void Inner(Type type, Action loadAddress, Type of, string method)
        {
            loadAddress();
            il.Emit(OpCodes.Ldfld, OnlyField(type, of));
            il.Emit(OpCodes.Ldarg, sink);
            il.Emit(OpCodes.Call, typeof(Pushes).GetMethod(method, Own));
        }

        void Struct(Type type, Action loadAddress)
        {
            loadAddress();
            Type wide = Wide(type);
            if (wide != null)
            {
                Widen(type);
                Call(wide);
                return;
            }
            il.Emit(OpCodes.Ldobj, type);
            if (Of(type) != null) Call(type);
            else
            {
                il.Emit(OpCodes.Box, type);
                Call(typeof(object));
            }
        }

        void Call(Type parameter)
        {
            il.Emit(OpCodes.Ldarg, sink);
            il.Emit(OpCodes.Call, Of(parameter));
        }

        // The method for exactly this type, without conversions. Null if there is none.
        static MethodInfo Of(Type parameter)
        {
            foreach (MethodInfo method in typeof(Pushes).GetMethods(Own))
                if (method.Name == "Of" && method.GetParameters()[0].ParameterType == parameter) return method;
            return null;
        }

        // Loads a whole number from the address on the stack as 64 bits.
        void Widen(Type type)
        {
            il.Emit(OpCodes.Ldobj, type);
            il.Emit(IsUnsigned(type) ? OpCodes.Conv_U8 : OpCodes.Conv_I8);
        }

        // Loads it as a whole number of 64 bits; false if it is none.
        internal bool Whole(Type type, Action loadAddress)
        {
            if (type != typeof(bool) && Wide(type) == null) return false;
            loadAddress();
            Widen(type);
            return true;
        }

        static bool IsUnsigned(Type type)
        {
            return type == typeof(byte) || type == typeof(ushort) || type == typeof(uint) || type == typeof(ulong)
                || type == typeof(bool) || type == typeof(char);
        }

        // long or ulong; null if it is no whole number.
        static Type Wide(Type type)
        {
            if (type == typeof(ulong)) return type;
            bool isWhole = type == typeof(int) || type == typeof(long) || type == typeof(short) || type == typeof(sbyte)
                || type == typeof(byte) || type == typeof(ushort) || type == typeof(uint);
            return isWhole ? typeof(long) : null;
        }

        static FieldInfo Field(Type type, string field)
        {
            FieldInfo found = type.GetField(field, Instance);
            if (found == null) throw new MissingFieldException(type.FullName, field);
            return found;
        }

        internal static FieldInfo OnlyField(Type type, Type of)
        {
            foreach (FieldInfo field in type.GetFields(Instance)) if (field.FieldType == of) return field;
            throw new MissingFieldException(type.FullName, of.Name);
        }

        internal static bool IsNamed(Type type, string fullName)
        {
            return type.FullName == fullName;
        }
    }
}
