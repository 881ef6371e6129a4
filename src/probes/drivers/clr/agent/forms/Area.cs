using System.Collections.Generic;

namespace Substrate.Forms
{
    /// <summary>The parts of a window, or of a window inside of it, by what they are to a person.</summary>
    sealed class Area
    {
        /// <summary>
        /// What holds a value, in the order of the window; of a group of radio buttons only the first.
        /// </summary>
        internal readonly List<Part> Fields = new List<Part>();
        internal readonly List<Part> Buttons = new List<Part>();
        internal readonly List<Part> Labels = new List<Part>();
        internal readonly List<Part> Menus = new List<Part>();
        internal readonly List<Part> Inner = new List<Part>();
        readonly Dictionary<int, List<Part>> radios = new Dictionary<int, List<Part>>();
        /// <summary>Title of the box or tab around a part.</summary>
        readonly Dictionary<Part, string> sections = new Dictionary<Part, string>();

        internal Area(Part content)
        {
            Visit(content, "");
            foreach (List<Part> group in radios.Values)
                for (int at = 1; at < group.Count; at++) Fields.Remove(group[at]);
        }

        void Visit(Part part, string around)
        {
            string section = string.IsNullOrWhiteSpace(part.Border) ? around : part.Border;
            foreach (Part child in part.Parts)
            {
                Add(child, section);
                if (child.Kind == Kind.InternalFrame || child.Kind == Kind.Menu) continue;
                var tab = child.Kind == Kind.Tabs && child.Rows != null ? child.Rows.SelectedValue as string : null;
                Visit(child, tab ?? section);
            }
        }

        void Add(Part part, string section)
        {
            if (section.Length > 0) sections[part] = section;
            if (part.Kind == Kind.InternalFrame) Inner.Add(part);
            else if (part.Kind == Kind.Menu) Menus.Add(part);
            else if (part.Kind == Kind.Button || part.Kind == Kind.Link) Buttons.Add(part);
            else if (part.Kind == Kind.Label) Labels.Add(part);
            else if (Kinds.IsField(part.Kind))
            {
                Fields.Add(part);
                if (part.Kind == Kind.Radio) AddRadio(part);
            }
        }

        void AddRadio(Part part)
        {
            List<Part> group;
            if (!radios.TryGetValue(part.Group, out group)) radios[part.Group] = group = new List<Part>();
            group.Add(part);
        }

        /// <summary>Null: not one of a group.</summary>
        internal List<Part> RadiosOf(Part part)
        {
            List<Part> group;
            bool isGroup = part.Kind == Kind.Radio && radios.TryGetValue(part.Group, out group) && group.Count > 1;
            return isGroup ? radios[part.Group] : null;
        }

        internal string SectionOf(Part part)
        {
            string section;
            return sections.TryGetValue(part, out section) ? section : "";
        }
    }
}
