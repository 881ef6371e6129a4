using System;
using System.Threading;

namespace Substrate.State
{
    // A place where state was found to begin, with what the daemon needs to know to name it: see root-facts.ts. Holds
    // the object weakly; or a type, for its static fields.
    sealed class RootCandidate
    {
        static int lastId;

        // The first segment of paths below it.
        internal readonly string Id;
        internal readonly string Kind;
        // The full name of a type; null: it plays no role.
        internal readonly string Type;
        // Of a variable or a method; null: not known.
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

        // What this agent puts together, and keeps.
        internal static RootCandidate Made(string name, string where, object value)
        {
            return new RootCandidate(NextId(), "fixed", null, name, where, value, true);
        }

        // A value that stands for itself: the paths below it begin with nothing.
        internal static RootCandidate Alone(object value)
        {
            return new RootCandidate("", "fixed", null, null, null, value, true);
        }

        static string NextId()
        {
            return Interlocked.Increment(ref lastId).ToString();
        }

        // Static fields of the type that is the target.
        internal bool IsStatic
        {
            get { return Kind == "statics"; }
        }

        // Known by where it stands: shown first. Else only if nothing else shows it.
        internal bool Stands
        {
            get { return IsStatic || Kind == "service" || Kind == "variables" || Kind == "fixed"; }
        }

        // Null: it is gone. Of static fields the Type.
        internal object Target
        {
            get { return target == null ? made : target.Target; }
        }
    }
}
