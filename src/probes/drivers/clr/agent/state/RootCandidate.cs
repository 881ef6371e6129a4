using System;

namespace Substrate.State
{
    // A place where state was found to begin. Holds the object weakly; or a type, for its static fields.
    sealed class RootCandidate
    {
        // What it would be called; `Name` is that, made unique by the book of roots.
        internal readonly string Wish;
        // What it would be called if the first is taken; null: numbered.
        internal readonly string OtherWish;
        internal readonly string Origin;
        // Null: the name itself is shown.
        internal readonly string Label;
        // Static fields of the type that is the target.
        internal readonly bool IsStatic;
        // Known by where it stands (static fields, services): shown first. Else only if nothing else shows it.
        internal readonly bool Stands;
        internal string Name;
        readonly WeakReference target;
        readonly object made;

        RootCandidate(string wish, string otherWish, string origin, string label, object target, bool isStatic, bool stands,
            bool isMade)
        {
            Wish = wish;
            OtherWish = otherWish;
            Origin = origin;
            Label = label;
            IsStatic = isStatic;
            Stands = stands;
            if (isMade) made = target;
            else this.target = new WeakReference(target);
        }

        internal static RootCandidate Object(string wish, string origin, object target, bool stands)
        {
            return new RootCandidate(wish, null, origin, null, target, false, stands, false);
        }

        internal static RootCandidate Statics(Type type, string wish, string otherWish)
        {
            return new RootCandidate(wish, otherWish, "static fields of " + type.FullName, null, type, true, true, false);
        }

        // For one capture: what another source put together.
        internal static RootCandidate Made(Root root)
        {
            return new RootCandidate(root.Name, null, root.Origin, root.Label, root.Value, false, true, true) {
                Name = root.Name };
        }

        // Null: it is gone. Of static fields the Type.
        internal object Target
        {
            get { return target == null ? made : target.Target; }
        }
    }
}
