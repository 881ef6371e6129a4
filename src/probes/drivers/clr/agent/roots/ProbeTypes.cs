using System;
using System.Runtime.CompilerServices;

namespace Substrate.Roots
{
    // Types of the agent from which it learns how a runtime marks a type whose initialiser has run: some have run,
    // others have not. Each kind of initialiser is among both. Their order follows no rule, so that nothing else can
    // look like the mark.
    static class ProbeTypes
    {
        internal static readonly Type[] Run =
        {
            typeof(A), typeof(D), typeof(F), typeof(G), typeof(K), typeof(L), typeof(N), typeof(P),
        };
        internal static readonly Type[] Idle =
        {
            typeof(B), typeof(C), typeof(E), typeof(H), typeof(I), typeof(J), typeof(M), typeof(O),
        };
        // Initialised after a mark was found: it must appear.
        internal static readonly Type[] Late = { typeof(Q), typeof(R) };

        internal static void RunInitialiser(Type type)
        {
            RuntimeHelpers.RunClassConstructor(type.TypeHandle);
        }

        // Objects of a type may be made before its static fields are: other marks that a type has then do not count.
        [MethodImpl(MethodImplOptions.NoInlining)]
        internal static void UseSomeIdle()
        {
            GC.KeepAlive(new E());
            GC.KeepAlive(new J());
            GC.KeepAlive(new O());
            GC.KeepAlive(default(I));
        }

        static class A { internal static readonly object Value = new object(); }
        static class B { internal static readonly object Value = new object(); }
        static class C { internal static readonly int[] Value; static C() { Value = new int[1]; } }
        static class D { internal static readonly int[] Value; static D() { Value = new int[1]; } }
        sealed class E { internal static long Value = DateTime.UtcNow.Ticks; }
        sealed class F { internal static long Value = DateTime.UtcNow.Ticks; }
        sealed class G { internal static string Value; static G() { Value = new string('g', 1); } }
        sealed class H { internal static string Value; static H() { Value = new string('h', 1); } }
        struct I { internal static object Value = new object(); }
        sealed class J { internal static DateTime Value = DateTime.UtcNow; internal object Held = 1; }
        struct K { internal static object Value = new object(); }
        sealed class L { internal static DateTime Value = DateTime.UtcNow; internal object Held = 1; }
        static class M { internal static double Value; static M() { Value = Math.Sqrt(Environment.TickCount); } }
        static class N { internal static double Value; static N() { Value = Math.Sqrt(Environment.TickCount); } }
        class O { internal static readonly Guid Value = Guid.NewGuid(); }
        class P { internal static readonly Guid Value = Guid.NewGuid(); }
        static class Q { internal static object Value = new object(); }
        static class R { internal static object Value; static R() { Value = new object(); } }
    }
}
