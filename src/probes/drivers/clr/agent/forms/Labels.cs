using System;
using System.Collections.Generic;

namespace Substrate.Forms
{
    /// <summary>Which label names which field: the one that stands beside or above it.</summary>
    sealed class Labels
    {
        const int MaxGapAfterColon = 250;
        const int MaxGapLeft = 60;
        const int MaxGapAbove = 28;
        const int MaxShift = 60;
        const int MaxWords = 6;
        readonly Dictionary<Part, Part> names = new Dictionary<Part, Part>();
        readonly HashSet<Part> used = new HashSet<Part>();

        internal Labels(Area area)
        {
            foreach (Part field in area.Fields)
            {
                if (HasOwnWords(area, field)) continue;
                Part left = Kinds.IsLarge(field.Kind) ? null : NearestLeft(area, field);
                Tie(field, left ?? NearestAbove(area, field));
            }
            // Of what is left, one label may name the text of the next.
            foreach (Part label in area.Labels)
            {
                if (used.Contains(label) || label.Text.Length == 0 || names.ContainsKey(label)) continue;
                Part left = NearestLeft(area, label);
                if (left != null && EndsWithColon(left) && !names.ContainsKey(left)) Tie(label, left);
            }
        }

        /// <summary>Null: none.</summary>
        internal string Of(Part field)
        {
            Part label;
            return names.TryGetValue(field, out label) ? label.Text : null;
        }

        internal bool IsUsed(Part label)
        {
            return used.Contains(label);
        }

        void Tie(Part field, Part label)
        {
            if (label == null) return;
            names[field] = label;
            used.Add(label);
        }

        static bool EndsWithColon(Part label)
        {
            return label.Text.Trim().EndsWith(":", StringComparison.Ordinal);
        }

        static bool HasOwnWords(Area area, Part field)
        {
            if (field.Accessible != null) return true;
            bool isAlone = field.Kind == Kind.Radio && area.RadiosOf(field) == null;
            return (Kinds.IsToggle(field.Kind) || isAlone) && field.Text != null && Names.ToName(field.Text).Length > 0;
        }

        /// <summary>A label on a tool bar or status bar names only what stands there, too.</summary>
        static bool IsOfSameStrip(Part label, Part field)
        {
            return label.IsInStrip || field.IsInStrip ? label.Parent == field.Parent : true;
        }

        /// <summary>Without a colon it must stand close.</summary>
        Part NearestLeft(Area area, Part field)
        {
            Part best = null;
            foreach (Part label in area.Labels)
            {
                if (label == field || label.Text.Length == 0 || !IsOfSameStrip(label, field)) continue;
                int middle = label.Y + label.Height / 2;
                bool isBeside = middle >= field.Y - 4 && middle <= field.Bottom + 4 && field.X - label.Right >= -4;
                if (isBeside && (best == null || label.Right > best.Right)) best = label;
            }
            if (best == null || !IsFree(best)) return null;
            if (field.X - best.Right > (EndsWithColon(best) ? MaxGapAfterColon : MaxGapLeft)) return null;
            return IsBetween(area.Fields, best, field) || IsBetween(area.Buttons, best, field) ? null : best;
        }

        Part NearestAbove(Area area, Part field)
        {
            Part best = null;
            foreach (Part label in area.Labels)
            {
                if (!IsFree(label) || label.IsInStrip || field.IsInStrip) continue;
                int gap = field.Y - label.Bottom;
                bool isOver = Math.Abs(label.X - field.X) <= MaxShift && gap >= -4 && gap <= MaxGapAbove;
                if (isOver && (best == null || label.Bottom > best.Bottom)) best = label;
            }
            return best;
        }

        bool IsFree(Part label)
        {
            return !used.Contains(label) && LooksLikeName(label.Text.Trim());
        }

        /// <summary>`Total: 42` says its value itself, and a sentence names nothing.</summary>
        static bool LooksLikeName(string text)
        {
            for (int at = 0; at < text.Length; at++)
            {
                char letter = text[at];
                bool isInside = at + 1 < text.Length;
                bool isParted = isInside && (letter == ':' || letter == '\n');
                if (char.IsDigit(letter) || letter == '!' || isParted) return false;
            }
            return Names.ToName(text).Length > 0 && Names.WordsOf(text).Count <= MaxWords;
        }

        static bool IsBetween(List<Part> parts, Part left, Part right)
        {
            int middle = left.Y + left.Height / 2;
            foreach (Part part in parts)
            {
                bool isInRow = part.Y <= middle && part.Bottom >= middle;
                if (part != right && isInRow && part.X >= left.Right - 4 && part.Right <= right.X + 4) return true;
            }
            return false;
        }
    }
}
