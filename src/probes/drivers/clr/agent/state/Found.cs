using System;

namespace Substrate.State
{
    /// <summary>
    /// A place where state was found to begin. Holds the object weakly; or a type, for its static fields.
    /// </summary>
    sealed class Found
    {
        /// <summary>What it would be called; `Name` is that, made unique by the book of roots.</summary>
        internal readonly string Wish;
        /// <summary>What it would be called if the first is taken; null: numbered.</summary>
        internal readonly string OtherWish;
        internal readonly string Origin;
        /// <summary>Null: the name itself is shown.</summary>
        internal readonly string Label;
        /// <summary>Static fields of the type that is the target.</summary>
        internal readonly bool IsStatic;
        /// <summary>
        /// Known by where it stands (static fields, services): shown first. Else only if nothing else shows it.
        /// </summary>
        internal readonly bool Stands;
        internal string Name;
        readonly WeakReference target;
        readonly object made;

        Found(string wish, string otherWish, string origin, string label, object target, bool isStatic, bool stands,
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

        internal static Found Object(string wish, string origin, object target, bool stands)
        {
            return new Found(wish, null, origin, null, target, false, stands, false);
        }

        internal static Found Statics(Type type, string wish, string otherWish)
        {
            return new Found(wish, otherWish, "static fields of " + type.FullName, null, type, true, true, false);
        }

        /// <summary>For one capture: what another source put together.</summary>
        internal static Found Made(Root root)
        {
            return new Found(root.Name, null, root.Origin, root.Label, root.Value, false, true, true) {
                Name = root.Name };
        }

        /// <summary>Null: it is gone. Of static fields the Type.</summary>
        internal object Target
        {
            get { return target == null ? made : target.Target; }
        }
    }
}
