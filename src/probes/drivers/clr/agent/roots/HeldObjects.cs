using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Budget;
using Substrate.Health;
using Substrate.Hosts;
using Substrate.Read;
using Substrate.State;

namespace Substrate.Roots
{
    // Follows all fields, breadth first and within a budget, through objects of the framework to the first ones of the
    // app. Objects in a closure or an async method are named like its variables.
    sealed class HeldObjects
    {
        const int MaxElements = 1000;
        const int MaxFound = 1000;
        readonly Dictionary<object, bool> seen = new Dictionary<object, bool>(Identity.Instance);
        readonly List<Step> steps = new List<Step>();
        readonly List<RootCandidate> found = new List<RootCandidate>();
        // Closures with scalar variables: shown after the variables that are objects.
        readonly List<RootCandidate> closures = new List<RootCandidate>();
        int done;
        // Containers of services that were found.
        internal readonly List<object> Containers = new List<object>();

        struct Step
        {
            internal object Object;
            internal string Origin;
            // The method in which a delegate was written.
            internal string Method;
            // A struct, copied from its field or array.
            internal bool IsCopy;
        }

        internal void Start(object start, string origin)
        {
            Add(start, origin, null, false);
        }

        // Follows from the objects started since the last run; visited objects are not visited again.
        internal void Run(int maxObjects, double maxMs, Pace pace)
        {
            double end = ThreadTime.Now + maxMs;
            for (int left = maxObjects; done < steps.Count && left > 0 && found.Count < MaxFound; left--)
            {
                if ((left & 63) == 63)
                {
                    if (ThreadTime.Now > end) break;
                    pace.GoAnyway();
                }
                try
                {
                    Visit(steps[done++]);
                }
                catch (Exception discarded)
                {
                    // The object leads no further.
                    Discarded.Count("HeldObjects.Run", discarded);
                }
            }
            done = steps.Count;
        }

        internal List<RootCandidate> Found()
        {
            var all = new List<RootCandidate>(found);
            all.AddRange(closures);
            return all;
        }

        void Add(object next, string origin, string method, bool isCopy)
        {
            if (next == null || Proxies.Is(next) || DeadEnds.Is(next.GetType())) return;
            if (!isCopy)
            {
                if (seen.ContainsKey(next)) return;
                seen.Add(next, true);
            }
            steps.Add(new Step { Object = next, Origin = origin, Method = method, IsCopy = isCopy });
        }

        void Visit(Step step)
        {
            Type type = step.Object.GetType();
            var called = step.Object as Delegate;
            if (called != null) Targets(called, step);
            else if (type.IsArray) Elements((Array)step.Object, step);
            else if (Ownership.IsOfAppOrProxy(type)) OfApp(type, step);
            else if (ServiceContainer.Is(type)) Containers.Add(step.Object);
            else Follow(type, step);
        }

        void Targets(Delegate called, Step step)
        {
            foreach (Delegate one in called.GetInvocationList())
                Add(one.Target, step.Origin, Generated.MethodIn(one.Method.Name) ?? step.Method, false);
        }

        void Elements(Array array, Step step)
        {
            Type element = array.GetType().GetElementType();
            if (array.Rank != 1 || element.IsPrimitive || element.IsPointer) return;
            int end = Math.Min(array.Length, MaxElements);
            for (int at = 0; at < end; at++) Add(array.GetValue(at), step.Origin, step.Method, element.IsValueType);
        }

        void Follow(Type type, Step step)
        {
            HeldFields held = HeldFields.Of(type);
            object[] values = held.Read(step.Object);
            for (int at = 0; at < values.Length; at++)
                Add(values[at], step.Origin, step.Method, held.Fields[at].FieldType.IsValueType);
        }

        void OfApp(Type type, Step step)
        {
            if (Generated.Is(type))
            {
                if (!typeof(IEnumerator).IsAssignableFrom(type)) Captured(type, step);
            }
            else if (type.IsValueType) Follow(type, step);
            else if (FieldAccess.HasOfApp(type))
                found.Add(RootCandidate.Object("held", type, null, step.Origin, step.Object));
        }

        void Captured(Type type, Step step)
        {
            string method = Generated.MethodIn(type.Name) ?? step.Method;
            string origin = Generated.IsAsync(type) ? "async " + (method ?? "method") : step.Origin;
            bool hasScalars = false;
            HeldFields held = HeldFields.Of(type);
            object[] values = held.Read(step.Object);
            for (int at = 0; at < values.Length; at++)
            {
                FieldInfo field = held.Fields[at];
                object value = values[at];
                string name = Generated.Variable(field.Name);
                if (value == null) continue;
                if (name != null && IsState(value)) Put("held", null, name, origin, value);
                else if (name != null && IsScalar(value.GetType())) hasScalars = true;
                else Add(value, origin, method, field.FieldType.IsValueType);
            }
            if (hasScalars && !step.IsCopy)
                closures.Add(RootCandidate.Object("closure", null, method ?? "closure", origin, step.Object));
        }

        // Adds a known root.
        internal void Put(string kind, Type type, string name, string origin, object value)
        {
            if (seen.ContainsKey(value)) return;
            seen.Add(value, true);
            found.Add(RootCandidate.Object(kind, type, name, origin, value));
        }

        // True for an object of the app, or a collection: a variable that holds it is a root.
        internal static bool IsState(object value)
        {
            Type type = value.GetType();
            if (type.IsValueType || value is Delegate || DeadEnds.Is(type)) return false;
            if (type.IsArray) return !type.GetElementType().IsPrimitive;
            if (Ownership.IsOfAppOrProxy(type)) return !Generated.Is(type);
            string space = type.Namespace;
            return value is IEnumerable && space != null
                && space.StartsWith("System.Collections", StringComparison.Ordinal);
        }

        static bool IsScalar(Type type)
        {
            return type.IsPrimitive || type.IsEnum || type == typeof(string) || type == typeof(decimal)
                || type == typeof(DateTime) || type == typeof(TimeSpan);
        }
    }
}
