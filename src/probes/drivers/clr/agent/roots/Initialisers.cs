using System;
using System.Collections.Generic;

namespace Substrate.Roots
{
    // Tells whether the initialiser of a type has run. Reading a static field would run it, which is the app's own
    // doing, and no runtime has a question for this. So the mark that the runtime keeps is looked for, with types of
    // ours as the proof.
    static class Initialisers
    {
        const int TypeOfModule = 0x02000001;
        static readonly object gate = new object();
        internal static readonly bool IsMono = typeof(object).Assembly.GetType("Mono.Runtime", false) != null;
        static bool isLearned;
        static IInitFlag mark;

        // One use of this: memory is opened once for many questions.
        internal static OwnMemory Open()
        {
            var memory = new OwnMemory();
            lock (gate)
            {
                if (isLearned) return memory;
                isLearned = true;
                try
                {
                    mark = Learn(memory);
                }
                catch (Exception)
                {
                    mark = null;
                }
            }
            return memory;
        }

        // Its static fields can be read without running anything.
        internal static bool HaveRun(OwnMemory memory, Type type)
        {
            if (type.TypeInitializer != null) return IsMarked(memory, type);
            // The first use of a module runs an initialiser of the module, if it has one: kept at a type without a
            // name.
            Type ofModule = Type.GetTypeFromHandle(type.Module.ModuleHandle.ResolveTypeHandle(TypeOfModule));
            return ofModule.TypeInitializer == null || IsMarked(memory, ofModule);
        }

        internal static bool IsMarked(OwnMemory memory, Type type)
        {
            return mark != null && mark.IsSet(memory, type);
        }

        static IInitFlag Learn(OwnMemory memory)
        {
            foreach (Type type in ProbeTypes.Run) ProbeTypes.RunInitialiser(type);
            // Mono runs an initialiser as well when an object is made.
            if (!IsMono) ProbeTypes.UseSomeIdle();
            var fitting = new List<IInitFlag>();
            foreach (IInitFlag candidate in Candidates(memory))
                if (Fits(memory, candidate)) fitting.Add(candidate);
            foreach (Type late in ProbeTypes.Late)
            {
                fitting.RemoveAll(one => one.IsSet(memory, late));
                ProbeTypes.RunInitialiser(late);
                fitting.RemoveAll(one => !one.IsSet(memory, late));
            }
            return fitting.Count == 1 ? fitting[0] : null;
        }

        static IEnumerable<IInitFlag> Candidates(OwnMemory memory)
        {
            if (IsMono) return MonoInitFlag.All(memory);
            var all = new List<IInitFlag>(TypeInitFlag.All());
            all.AddRange(ModuleInitFlag.All(memory));
            return all;
        }

        static bool Fits(OwnMemory memory, IInitFlag candidate)
        {
            foreach (Type type in ProbeTypes.Idle)
                if (candidate.IsSet(memory, type)) return false;
            foreach (Type type in ProbeTypes.Run)
                if (!candidate.IsSet(memory, type)) return false;
            return true;
        }
    }

    // Where a runtime notes that the initialiser of a type has run.
    interface IInitFlag
    {
        // False too where it cannot be told.
        bool IsSet(OwnMemory memory, Type type);
    }
}
