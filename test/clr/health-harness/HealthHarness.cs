using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Reflection.Emit;
using System.Threading;
using Substrate.Budget;
using Substrate.Forms;
using Substrate.Health;
using Substrate.Hosts;
using Substrate.Json;
using Substrate.Meta;
using Substrate.Read;
using Substrate.Roots;

namespace System.Collections.Generic
{
    // As a later .NET may have it: none of the known fields is there.
    sealed class OrderedDictionary<TKey, TValue>
    {
        internal TKey Key;
        internal TValue Value;
    }
}

namespace Harness
{
    // Runs the case that is named, and writes what a daemon would be sent: one line for each report.
    static class HealthHarness
    {
        static readonly HealthReport report = new HealthReport();
        static string argument;

        static void Main(string[] args)
        {
            argument = args.Length > 1 ? args[1] : null;
            typeof(HealthHarness).GetMethod(args[0], BindingFlags.Static | BindingFlags.NonPublic).Invoke(null, null);
            if (args[0] != "Reports") Tell(true);
        }

        static void Tell(bool all)
        {
            var answer = new JsonWriter().Raw("{\"all\":").Flag(all);
            report.Write(answer, all);
            var bytes = new List<byte>();
            foreach (ArraySegment<byte> piece in answer.Raw('}').Pieces())
                for (int at = 0; at < piece.Count; at++) bytes.Add(piece.Array[piece.Offset + at]);
            Console.WriteLine(System.Text.Encoding.UTF8.GetString(bytes.ToArray()));
        }

        static void Reports()
        {
            Tell(true);
            Tell(false);
            Discarded.Count("Walk.Read", new InvalidOperationException("a secret"));
            Parts.Miss("emit", "fields are read slowly", new InvalidOperationException("a secret"));
            Tell(false);
            Tell(false);
            Discarded.Count("Walk.Read", new ArgumentException());
            Tell(false);
            Parts.Miss("emit", "another problem");
            Parts.Miss("timers", "timers are not read");
            Tell(false);
            Parts.Have("emit");
            Tell(false);
            Tell(true);
        }

        static void ManyPlaces()
        {
            for (int at = 0; at < 100; at++) Discarded.Count("Place.Number" + at, new Exception());
            for (int at = 0; at < 40; at++) Parts.Miss("part_" + at, new string('x', 1000));
        }

        static void ManyThreads()
        {
            var threads = new List<Thread>();
            for (int number = 0; number < 8; number++)
            {
                threads.Add(new Thread(() =>
                {
                    for (int at = 0; at < 20000; at++) Discarded.Count("Place.Number" + at % 10, new Exception());
                }));
                threads[number].Start();
            }
            foreach (Thread thread in threads) thread.Join();
        }

        sealed class Größe<T> : Exception { }

        static void OddNames()
        {
            Discarded.Count("Walk.Generic", new Größe<int>());
            Discarded.Count("Walk.Nothing", null);
        }

        // The kernel's answer differs from the memory of this program.
        sealed class FakeMemory : OwnMemory
        {
            readonly string content;

            internal FakeMemory(string content)
            {
                this.content = content;
            }

            internal override int Read(long address, byte[] into, int count)
            {
                switch (content)
                {
                    case "none": return 0;
                    case "zeros":
                        Array.Clear(into, 0, count);
                        return count;
                    case "even bytes": return base.Read(count == 1 ? address & ~1L : address, into, count);
                    case "odd bytes": return base.Read(count == 1 ? address | 1L : address, into, count);
                    case "even words": return base.Read(IsOfModule(address, count) ? address & ~8L : address, into, count);
                    default: return base.Read(IsOfModule(address, count) ? address | 8L : address, into, count);
                }
            }

            static bool IsOfModule(long address, int count)
            {
                bool isOfType = false;
                foreach (Type[] types in new[] { ProbeTypes.Run, ProbeTypes.Idle, ProbeTypes.Late })
                    foreach (Type type in types)
                        isOfType |= address - (long)type.TypeHandle.Value >= 0 && address - (long)type.TypeHandle.Value < 80;
                return count == 8 && !isOfType;
            }
        }

        static void Marks()
        {
            using (OwnMemory memory = argument == null ? new OwnMemory() : new FakeMemory(argument)) Initialisers.Learn(memory);
        }

        // A cast of a value that no long can hold is undefined, and differs by CPU and runtime.
        static void Casts()
        {
            foreach (double bytes in new[] { double.NaN, double.NegativeInfinity, -1, 0, 1.9, 1e15, 9.3e18, 1e300, double.PositiveInfinity })
                Console.WriteLine("{\"cast\":\"" + Substrate.State.HeapGuard.Whole(bytes) + "\"}");
        }

        static void Timers()
        {
            using (var memory = new OwnMemory())
                if (Initialisers.IsMono) Substrate.Roots.Timers.OfScheduler(memory, new HeldObjects(), typeof(int));
                else Substrate.Roots.Timers.OfQueues(memory, new HeldObjects(), typeof(int));
        }

        static void Services()
        {
            ServiceContainer.Made(new object());
        }

        static void Collections()
        {
            new Containers(null).Of(typeof(OrderedDictionary<string, int>));
        }

        static void Metadata()
        {
            Loaded.Now.TypesOf(Assembly.Load(File.ReadAllBytes(argument)));
        }

        static void ThreadTimes()
        {
            ThreadTime.IsTime(-1);
        }

        static void HeapScan()
        {
            try
            {
                new HeapScan(new Pace(1000, 100)).Scan("/nowhere/heap.so");
            }
            catch (InvalidOperationException)
            {
                return;
            }
            throw new Exception("it has looked");
        }

        // Its version is unknown, or it belongs to somebody else.
        static void OddForms()
        {
            var name = new AssemblyName("System.Windows.Forms");
            ModuleBuilder module = AssemblyBuilder.DefineDynamicAssembly(name, AssemblyBuilderAccess.Run).DefineDynamicModule("it");
            module.DefineType("System.Windows.Forms.Form", TypeAttributes.Public).CreateType();
            new FormsUi(new Pace(1000, 100)).ReadWindows();
        }

        static void FormsWithoutList()
        {
            var name = new AssemblyName("System.Windows.Forms");
            ModuleBuilder module = AssemblyBuilder.DefineDynamicAssembly(name, AssemblyBuilderAccess.Run).DefineDynamicModule("it");
            foreach (string type in new[] { "Form", "Application", "FormCollection" })
                module.DefineType("System.Windows.Forms." + type, TypeAttributes.Public).CreateType();
            new FormsUi(new Pace(1000, 100)).ReadWindows();
        }
    }
}
