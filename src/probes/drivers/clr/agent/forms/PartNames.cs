using System;
using System.Collections.Generic;

namespace Substrate.Forms
{
    /// <summary>What a person would call each part of an area.</summary>
    sealed class PartNames
    {
        const int MaxTipWords = 5;
        readonly Area area;
        readonly Labels labels;
        readonly Dictionary<Part, string> given = new Dictionary<Part, string>();

        internal PartNames(Area area, Labels labels, NameBook book)
        {
            this.area = area;
            this.labels = labels;
            var counts = new Dictionary<string, int>();
            var wanted = new List<string>();
            foreach (Part field in area.Fields)
            {
                string name = WantedFor(field);
                wanted.Add(name);
                int count;
                counts.TryGetValue(name, out count);
                counts[name] = count + 1;
            }
            for (int at = 0; at < wanted.Count; at++)
            {
                Part field = area.Fields[at];
                string section = counts[wanted[at]] > 1 ? Names.ToName(area.SectionOf(field)) : "";
                bool says = section.Length > 0 && !wanted[at].StartsWith(section, StringComparison.Ordinal);
                given[field] = book.Take(says ? section + "_" + wanted[at] : wanted[at], field.Memory);
            }
        }

        internal string Of(Part field)
        {
            return given[field];
        }

        /// <summary>What people call it, for descriptions.</summary>
        internal string TitleOf(Part field)
        {
            string own = Kinds.IsToggle(field.Kind) ? field.Text : null;
            string title = Part.FirstText(labels.Of(field), field.Accessible, own).TrimEnd(':', ' ');
            return title.Length == 0 ? Of(field) : title;
        }

        string WantedFor(Part field)
        {
            string label = Names.ToName(labels.Of(field));
            if (label.Length > 0) return label;
            if (Kinds.IsToggle(field.Kind) || (field.Kind == Kind.Radio && area.RadiosOf(field) == null))
                return OfButton(field, "option");
            string name = Names.FirstName(field.Accessible, BorderOf(field), ShortTip(field));
            return name.Length > 0 ? name : OfCode(field, Kinds.NameOf(field.Kind));
        }

        /// <summary>What the app calls it for itself.</summary>
        static string OfCode(Part part, string otherwise)
        {
            // A radio button stands for its group here: what it is called itself does not name that.
            bool isOne = part.Kind != Kind.Radio;
            string name = isOne ? Names.OfField(part.OwnName) : "";
            if (name.Length == 0 && isOne) name = Names.OfField(part.FieldName);
            if (name.Length == 0 && part.Kind != Kind.Password) name = Names.OfField(part.TypeName);
            return name.Length > 0 ? name : otherwise;
        }

        /// <summary>Of something with words on it.</summary>
        internal static string OfButton(Part button, string otherwise)
        {
            string name = Names.FirstName(button.Accessible, button.Text, Words.WithoutKeys(button.Tip));
            if (name.Length == 0) name = Names.OfField(button.OwnName);
            if (name.Length == 0) name = Names.OfField(button.FieldName);
            return name.Length > 0 ? name : otherwise;
        }

        /// <summary>Of a label that names nothing else; empty: it has no name.</summary>
        internal static string OfLabel(Part label)
        {
            string name = Names.ToName(label.Accessible);
            if (name.Length == 0) name = Names.OfField(label.OwnName);
            return name.Length > 0 ? name : Names.OfField(label.FieldName);
        }

        /// <summary>The title of a box around this field alone.</summary>
        string BorderOf(Part field)
        {
            string section = area.SectionOf(field);
            if (section.Length == 0) return null;
            foreach (Part other in area.Fields)
                if (other != field && section == area.SectionOf(other)) return null;
            return section;
        }

        /// <summary>One that is a name: no sentence, no path, and not what the field holds.</summary>
        internal static string ShortTip(Part part)
        {
            string tip = Words.WithoutKeys(part.Tip);
            if (tip == null || tip.IndexOf('/') >= 0 || tip.IndexOf('\\') >= 0 || tip.Equals(part.Value)) return null;
            return Names.WordsOf(tip).Count <= MaxTipWords ? tip : null;
        }
    }
}
