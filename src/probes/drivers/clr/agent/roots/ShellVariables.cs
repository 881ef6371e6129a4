using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.State;

namespace Substrate.Roots
{
    // The variables of Mono's C# shell, and of programs that evaluate with its compiler: one static field each, of classes
    // that it compiles into memory.
    sealed class ShellVariables : TimedFinder
    {
        const string Compiler = "Mono.CSharp";
        WeakReference known = new WeakReference(null);

        protected override void Search(bool fresh)
        {
            object fields = Fields();
            if (fields == known.Target) return;
            known = new WeakReference(fields);
            Found = new List<RootCandidate>();
            if (fields != null)
                Found.Add(RootCandidate.Object("variables", fields.GetType(), null, "variables of the C# shell", fields));
        }

        static object Fields()
        {
            foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
            {
                if (assembly.IsDynamic || !assembly.FullName.StartsWith(Compiler + ",", StringComparison.Ordinal)) continue;
                Type shell = assembly.GetType(Compiler + ".InteractiveBase", false);
                using (OwnMemory memory = Initialisers.Open())
                    return FieldAccess.Get(FieldAccess.GetStatic(memory, shell, "Evaluator"), "fields");
            }
            return null;
        }
    }
}
