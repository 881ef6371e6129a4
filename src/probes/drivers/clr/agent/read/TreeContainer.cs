using System;

namespace Substrate.Read
{
    // Elements in a tree, from left to right: sorted and immutable collections.
    sealed class TreeContainer : Container
    {
        // More than any tree that is balanced.
        const int MaxDepth = 100;
        const int MaxCount = 1000000;
        readonly Accessor root;
        readonly Accessor left;
        readonly Accessor right;
        // Null: one has to go through all.
        readonly Accessor count;
        // 0 in a node that is no element; null: all are.
        readonly Accessor height;
        readonly Accessor key;
        readonly Accessor value;
        // Of a bucket, further elements with the same hash, which are a tree of their own; else null.
        readonly Accessor more;
        readonly TreeContainer others;

        internal TreeContainer(int kind, Accessor[] parts, Accessor key, Accessor value, Accessor more,
            TreeContainer others)
            : base(kind)
        {
            root = parts[0];
            left = parts[1];
            right = parts[2];
            count = parts[3];
            height = parts[4];
            this.key = key;
            this.value = value;
            this.more = more;
            this.others = others;
        }

        internal override int Size(object target)
        {
            if (count != null) return Math.Max(0, count.Whole(target));
            var counter = new Counter(MaxCount);
            Each(target, counter);
            return counter.Count > MaxCount ? Unknown : counter.Count;
        }

        internal override bool IsOrdered(object target)
        {
            return others == null;
        }

        internal override void Each(object target, ITaker taker)
        {
            Below(root == null ? target : root.Get(target), taker);
        }

        bool Below(object top, ITaker taker)
        {
            var path = new object[MaxDepth];
            int depth = 0;
            object node = top;
            for (int steps = 0; steps < MaxSteps; steps++)
            {
                while (IsNode(node) && depth < MaxDepth)
                {
                    path[depth++] = node;
                    node = left.Get(node);
                }
                if (depth == 0) return true;
                node = path[--depth];
                if (!taker.Take(key, node, value, node, 0)) return false;
                object further = more == null ? null : more.Get(node);
                if (further != null && !others.Below(further, taker)) return false;
                node = right.Get(node);
            }
            return true;
        }

        bool IsNode(object node)
        {
            return node != null && (height == null || height.Whole(node) > 0);
        }
    }
}
