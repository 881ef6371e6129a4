using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Wary
{
    static class Trap
    {
        /// <summary>Mono runs an initialiser when an object is made: before anybody looks.</summary>
        internal static bool IsSet;

        internal static object Spring(string what)
        {
            if (IsSet) Console.WriteLine("trap: " + what);
            return new object();
        }
    }

    /// <summary>There are objects of these, but nobody has used a static field yet.</summary>
    public sealed class ClassTrap
    {
        static object Sprung = Trap.Spring("a class");
        public List<int> Held = new List<int> { 1 };
        public int Size = 1;
    }

    public struct StructTrap
    {
        static object Sprung = Trap.Spring("a struct");
        public List<int> Held;
        public int Size;
    }

    public class GenericTrap<T>
    {
        static object Sprung = Trap.Spring("a generic type");
        public List<T> Held = new List<T>();
        public T One;
    }

    public class BaseTrap
    {
        static object Sprung = Trap.Spring("a base");
        public List<int> Held = new List<int>();
    }

    public sealed class Derived : BaseTrap
    {
        public List<int> Own = new List<int> { 5 };
    }

    public sealed unsafe class Pointers
    {
        public int* One = (int*)0x10;
        public int*[] Many = { (int*)0x10, (int*)0x20 };
        public Fixed[] Several = new Fixed[2];
    }

    public unsafe struct Fixed
    {
        public fixed int Numbers[16];
        public int* Pointer;
        public int Plain;
    }

    public static class World
    {
        [ThreadStatic] public static string OfThread;
        [ContextStatic] public static string OfContext;
        public static readonly ClassTrap Class = new ClassTrap();
        public static StructTrap Struct;
        public static readonly StructTrap[] Structs = new StructTrap[2];
        public static readonly object Boxed = default(StructTrap);
        public static readonly GenericTrap<string> Generic = new GenericTrap<string>();
        public static readonly GenericTrap<StructTrap> OfStructs = new GenericTrap<StructTrap>();
        public static readonly Derived Derived = new Derived();
        public static readonly Dictionary<string, StructTrap> ByName = new Dictionary<string, StructTrap>();
        public static readonly Tuple<StructTrap, int> Pair = Tuple.Create(default(StructTrap), 1);
        public static readonly ConditionalWeakTable<object, Pointers> Table = new ConditionalWeakTable<object, Pointers>();
        public static readonly Pointers Pointers = new Pointers();
        public static unsafe int*[] PointerArray = { (int*)0x10 };
        public static readonly int[] Numbers = new List<int>().ToArray();
        public static readonly int[] NoNumbers = new List<int>().ToArray();
        public static readonly string[] Words = new List<string>().ToArray();
        public static readonly string[] NoWords = new List<string>().ToArray();
        [Absent.Mark] public static readonly Worker Worker = new Worker();
        public static Keeper Keeper;
        public static object Remote;
    }

    [Absent.Mark, Flags]
    public enum Marks { One = 1, Two = 2 }

    /// <summary>What it mentions cannot be loaded, and nobody asks for it.</summary>
    [Absent.Mark]
    public class Worker
    {
        [Absent.Mark] public int Number = 3;
        [Absent.Mark] public Marks Marks = Marks.One | Marks.Two;

        [Absent.Mark]
        public int Add([Absent.Mark] params int[] numbers) { return Number += numbers.Length; }

        public int Seldom()
        {
            if (Number < 1000) return Number;
            Absent.Base made = new Absent.Base();
            var value = new Absent.Value();
            return made.Held + value.Number;
        }

        public void Take(Made made) { Number += made.One; }
        public void TakeAbsent(Absent.Base given) { }
        public virtual int Virtual(int one) { return one; }
        public int CallVirtual() { return Virtual(2); }
    }

    public class OtherWorker : Worker
    {
        public override int Virtual(int one) { return one + 1; }
        public int Virtual(Absent.Base one) { return 1; }
    }

    public class Made
    {
        public int One;
        public Made() { }
        public Made(Absent.Base of) { }
    }

    public class OfAbsent : Absent.Base
    {
        public static int Number = 5;
    }

    public class OfThing : Absent.IThing
    {
        public static int Number = 6;
    }

    public class WithFields
    {
        public static int Number = 4;
        public static Absent.Base Of;
        public Absent.Value Value;
    }

    /// <summary>Mono cannot make one: it would load the type of the field.</summary>
    public sealed class Keeper
    {
        public int Number = 8;
        public Absent.Base Later;
    }

    public sealed class Remote : MarshalByRefObject
    {
        public int Number = 5;
        public List<int> List = new List<int> { 1, 2 };
    }

    /// <summary>Only Mono knows what it extends.</summary>
    sealed class Spy : System.Runtime.Remoting.Proxies.RealProxy
    {
        internal Spy(Type type) : base(type) { }

        public override System.Runtime.Remoting.Messaging.IMessage Invoke(
            System.Runtime.Remoting.Messaging.IMessage message)
        {
            Console.WriteLine("trap: a proxy was asked for " + message.Properties["__MethodName"]);
            return null;
        }
    }

    public static class Program
    {
        static readonly object Key = new object();
        static bool mayLoad;

        public static int Main()
        {
            AppDomain.CurrentDomain.AssemblyResolve += Resolve;
            World.Table.Add(Key, new Pointers());
            World.ByName["one"] = default(StructTrap);
            bool isMono = typeof(object).Assembly.GetType("Mono.Runtime") != null;
            if (isMono) MakeRemote();
            else MakeKeeper();
            Begin();
            Trap.IsSet = true;
            Console.WriteLine("ready");
            for (int read = Console.Read(); read != 'q'; read = Console.Read())
            {
                if (read != 'l' || isMono)
                {
                    Thread.Sleep(10);
                    continue;
                }
                mayLoad = true;
                Load();
            }
            return 3;
        }

        static Assembly Resolve(object sender, ResolveEventArgs wanted)
        {
            if (mayLoad)
                return Assembly.LoadFrom(Path.Combine(AppDomain.CurrentDomain.BaseDirectory, "later", "Absent.dll"));
            Console.WriteLine("trap: asked for " + wanted.Name);
            return null;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void MakeRemote()
        {
            World.Remote = new[] { new Remote(), new Spy(typeof(Remote)).GetTransparentProxy() };
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void MakeKeeper() { World.Keeper = new Keeper(); }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Load() { World.Keeper.Later = new MyBase { Held = 9 }; }

        /// <summary>A closure holds the traps as well.</summary>
        static void Begin()
        {
            StructTrap one = default(StructTrap);
            var other = new ClassTrap();
            int turns = 0;
            var timer = new Timer(ignored => turns += one.Size + other.Size, null, 20, 20);
            GCHandle.Alloc(timer);
        }
    }

    sealed class MyBase : Absent.Base { }
}
