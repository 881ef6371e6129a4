using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Threading;
using Substrate.Budget;
using Substrate.Health;
using Substrate.Meta;
using Substrate.Read;
using Substrate.State;

namespace Substrate.Roots
{
    // Objects of the app that only running methods hold, found by a heap scan.
    sealed class HeapScan : IFinder
    {
        const string Effect = "objects that only running methods hold are not found";
        const string Unknown = "held by running code";
        const int StackSize = 1 << 20;
        const int MaxRoots = 200;
        const int MaxOfType = 20;
        // Objects of a class with more instances are parts of something.
        const int MaxInstances = 500;
        const int MaxObjects = 50000;
        const int FollowMs = 300;
        // The fractions of the search's time: to follow the found objects, and to see what leads to them.
        const double ToFollow = 0.6;
        const double ToReach = 0.75;
        // Bindings to GLib: their finalizers make it complain on the app's output when they run together.
        static readonly string[] Touchy = { "glib-sharp", "GLibSharp" };
        readonly Pace pace;
        IList<IFinder> others = new List<IFinder>();
        List<RootCandidate> found = new List<RootCandidate>();

        internal HeapScan(Pace pace)
        {
            this.pace = pace;
        }

        // Objects that these finders find are not reported again.
        internal void After(IList<IFinder> finders)
        {
            others = finders;
        }

        public IEnumerable<RootCandidate> Find(bool fresh)
        {
            found.RemoveAll(one => one.Target == null);
            return found;
        }

        // Returns the number of objects that nothing else leads to.
        internal int Scan(string path)
        {
            Exception failed = null;
            // A thread of its own, because the scan on Mono needs a large stack.
            var thread = new Thread(() => failed = Try(path), StackSize);
            thread.IsBackground = true;
            thread.Name = "substrate-heap";
            thread.Start();
            thread.Join();
            if (failed != null) throw new InvalidOperationException(failed.Message, failed);
            return found.Count;
        }

        Exception Try(string path)
        {
            try
            {
                pace.SearchAgain();
                pace.Begin();
                ScanWith(path);
                Parts.Have("heap_scan");
                return null;
            }
            catch (Exception failed)
            {
                string why = failed is HeapFailure ? failed.Message : failed.GetType().Name;
                Parts.Miss("heap_scan", why + ": " + Effect);
                return failed;
            }
            finally
            {
                pace.Add(pace.Spent);
            }
        }

        void ScanWith(string path)
        {
            foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
                if (Array.IndexOf(Touchy, Frameworks.NameOf(assembly)) >= 0)
                    throw new HeapFailure("finalizers of GLib bindings must not run together");
            Dictionary<IntPtr, Type> classes;
            List<HeapLibrary.Item> items;
            // Whatever happens, the place for a profiler is freed again.
            using (var library = new HeapLibrary(path, Initialisers.IsMono))
            {
                classes = ClassesOfApp();
                var sorted = new List<IntPtr>(classes.Keys);
                sorted.Sort((left, right) => ((ulong)left).CompareTo((ulong)right));
                items = library.Scan(sorted.ToArray());
            }
            found = Choose(Candidates(items, classes));
        }

        // Types by their method tables.
        static Dictionary<IntPtr, Type> ClassesOfApp()
        {
            var classes = new Dictionary<IntPtr, Type>();
            foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
            {
                if (Ownership.Of(assembly) != Owner.App) continue;
                foreach (Type type in Loaded.Now.TypesOf(assembly) ?? Type.EmptyTypes)
                    if (type != null && Ownership.IsOfAppOrProxy(type) && !type.ContainsGenericParameters)
                        classes[ClassOf(type)] = type;
            }
            return classes;
        }

        static IntPtr ClassOf(Type type)
        {
            return Initialisers.IsMono ? MonoInitFlag.ClassOf(type) : type.TypeHandle.Value;
        }

        // Order: the nearer to running code, and the rarer, the earlier, so that a thing comes before its many parts.
        // The variables of an async method are found through the method, so that they have their names.
        List<RootCandidate> Candidates(List<HeapLibrary.Item> items, Dictionary<IntPtr, Type> classes)
        {
            items.Sort((left, right) => left.Instances.CompareTo(right.Instances));
            var held = new HeldObjects();
            var ofFramework = new List<object>();
            var others = new List<object>();
            foreach (HeapLibrary.Item item in items)
            {
                GCHandle handle = GCHandle.FromIntPtr(item.Handle);
                object one = handle.Target;
                handle.Free();
                if (one == null) continue;
                Type type = one.GetType();
                if (item.Instances == 0) OnStack(one, item, classes, held, ofFramework);
                else if (IsWaiting(type)) held.Start(one, Unknown);
                else if (Ownership.IsOfAppOrProxy(type) && !type.IsArray && item.Instances <= MaxInstances)
                    others.Add(one);
            }
            foreach (object one in ofFramework) held.Start(one, Unknown);
            pace.Next(ToFollow, true);
            held.Run(MaxObjects, Math.Min(FollowMs, pace.Left), pace);
            foreach (object one in others) held.Start(one, Unknown);
            held.Run(MaxObjects, Math.Min(FollowMs, pace.Left), pace);
            return held.Found();
        }

        static void OnStack(
            object one, HeapLibrary.Item item, Dictionary<IntPtr, Type> classes, HeldObjects held,
            List<object> ofFramework)
        {
            Type type = one.GetType();
            Type element = ElementOfApp(type);
            if (Ownership.IsOfAppOrProxy(type) && !type.IsArray) held.Start(one, OriginOf(item, classes));
            else if (element != null && classes.ContainsKey(item.Class) && HeldObjects.IsState(one))
                held.Put("elements", element, null, OriginOf(item, classes), one);
            else ofFramework.Add(one);
        }

        // The element type of a collection, if it is the app's.
        static Type ElementOfApp(Type type)
        {
            Type[] parts = type.IsArray ? new[] { type.GetElementType() } : type.GetGenericArguments();
            Type last = parts.Length == 0 ? null : parts[parts.Length - 1];
            return last != null && Ownership.IsOfAppOrProxy(last) && !Generated.Is(last) ? last : null;
        }

        // A closure or an async method of the app, or the runtime's class for one.
        static bool IsWaiting(Type type)
        {
            if (Ownership.IsOfAppOrProxy(type)) return !type.IsArray && Generated.Is(type);
            if (!type.IsGenericType || type.Name.IndexOf("StateMachineBox", StringComparison.Ordinal) < 0) return false;
            foreach (Type argument in type.GetGenericArguments())
                if (Ownership.IsOfAppOrProxy(argument)) return true;
            return false;
        }

        static string OriginOf(HeapLibrary.Item item, Dictionary<IntPtr, Type> classes)
        {
            Type type;
            if (!classes.TryGetValue(item.Class, out type)) return Unknown;
            try
            {
                string name = type.Module.ResolveMethod((int)item.Token).Name;
                if (Generated.Is(type)) return Unknown;
                return "local variable of " + type.FullName + '.' + (Generated.MethodIn(name) ?? name);
            }
            catch (Exception discarded)
            {
                Discarded.Count("HeapScan.OriginOf", discarded);
                return Unknown;
            }
        }

        List<RootCandidate> Choose(List<RootCandidate> candidates)
        {
            var known = new List<RootCandidate>();
            foreach (IFinder finder in others) known.AddRange(finder.Find(true));
            pace.Next(ToReach, true);
            var reached = new Reached(pace);
            foreach (RootCandidate one in known)
            {
                var type = one.IsStatic ? one.Target as Type : null;
                if (type != null) reached.FromStatics(type);
                else reached.From(one.Target);
            }
            var chosen = new List<RootCandidate>();
            var ofTypes = new Dictionary<Type, int>();
            foreach (RootCandidate candidate in candidates)
            {
                object target = candidate.Target;
                if (target == null || reached.Has(target) || chosen.Count >= MaxRoots) continue;
                int ofType;
                ofTypes.TryGetValue(target.GetType(), out ofType);
                if (ofType >= MaxOfType) continue;
                ofTypes[target.GetType()] = ofType + 1;
                reached.From(target);
                chosen.Add(candidate);
            }
            return chosen;
        }
    }
}
