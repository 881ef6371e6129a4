using System;
using System.Threading;

namespace Substrate.State
{
    // A possible root, with the facts from which the daemon names it: see root-facts.ts. Holds the object weakly; or a
    // type, for its static fields.
    sealed class RootCandidate
    {
        static int lastId;

        // The first segment of paths below it.
        internal readonly string Id;
        internal readonly string Kind;
        // The full name of a type; null if it does not matter.
        internal readonly string Type;
        // The name of a variable or a method; null if not known.
        internal readonly string Name;
        internal readonly string Where;
        readonly WeakReference target;
        readonly object made;

        RootCandidate(string id, string kind, string type, string name, string where, object target, bool isMade)
        {
            Id = id;
            Kind = kind;
            Type = type;
            Name = name;
            Where = where;
            if (isMade) made = target;
            else this.target = new WeakReference(target);
        }

        internal static RootCandidate Object(string kind, Type type, string name, string where, object target)
        {
            return new RootCandidate(NextId(), kind, type == null ? null : type.FullName, name, where, target, false);
        }

        internal static RootCandidate Statics(Type type)
        {
            return Object("statics", type, null, null, type);
        }

        // A value that this agent puts together, and keeps.
        internal static RootCandidate Made(string name, string where, object value)
        {
            return new RootCandidate(NextId(), "fixed", null, name, where, value, true);
        }

        // A value outside of all roots: its paths have no first segment.
        internal static RootCandidate Alone(object value)
        {
            return new RootCandidate("", "fixed", null, null, null, value, true);
        }

        static string NextId()
        {
            return Interlocked.Increment(ref lastId).ToString();
        }

        // True for the static fields of the type that is the target.
        internal bool IsStatic
        {
            get { return Kind == "statics"; }
        }

        // True for a root with a fixed place: shown first. The others are shown only if nothing else shows them.
        internal bool Stands
        {
            get { return IsStatic || Kind == "single" || Kind == "service" || Kind == "variables" || Kind == "fixed"; }
        }

        // Null if it is gone. The Type for static fields.
        internal object Target
        {
            get { return target == null ? made : target.Target; }
        }
    }
}
