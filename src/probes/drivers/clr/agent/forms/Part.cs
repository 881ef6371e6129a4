using System.Collections.Generic;

namespace Substrate.Forms
{
    /// <summary>What was seen of one control, item of a strip or menu; holds nothing of the app.</summary>
    sealed class Part
    {
        internal readonly Kind Kind;
        internal readonly Part Parent;
        internal readonly Memory Memory;
        internal readonly List<Part> Parts = new List<Part>(0);
        /// <summary>Where it is in its window.</summary>
        internal int X;
        internal int Y;
        internal int Width;
        internal int Height;
        internal bool IsEnabled = true;
        /// <summary>Its own words: of a button, label, menu, or the title of a window inside of another.</summary>
        internal string Text;
        /// <summary>Set by the app for people who do not see it.</summary>
        internal string Accessible;
        internal string Tip;
        /// <summary>Title of the box around what is in it.</summary>
        internal string Border;
        /// <summary>Set by the app for itself.</summary>
        internal string OwnName;
        /// <summary>The field of the window or panel that holds it.</summary>
        internal string FieldName;
        /// <summary>The app's own class of this control, or of a panel around it.</summary>
        internal string TypeName;
        /// <summary>What a text, toggle, slider, … holds.</summary>
        internal object Value;
        internal Rows Rows;
        /// <summary>Minimum and maximum of a number; null: none.</summary>
        internal string Range;
        internal bool IsEditable;
        internal bool IsSelected;
        /// <summary>The app listens to keys in it: Enter may do something.</summary>
        internal bool HearsKeys;
        /// <summary>The app listens to double clicks on it.</summary>
        internal bool HearsOpening;
        /// <summary>Others with this number are of the same group of radio buttons; 0: none.</summary>
        internal int Group;

        internal Part(Kind kind, Part parent, Memory memory)
        {
            Kind = kind;
            Parent = parent;
            Memory = memory;
        }

        internal int Right { get { return X + Width; } }
        internal int Bottom { get { return Y + Height; } }
        internal bool IsInStrip { get { return Parent != null && Parent.Kind == Kind.Strip; } }

        internal static string FirstText(params string[] texts)
        {
            foreach (string text in texts)
                if (text != null && text.Trim().Length > 0) return text.Trim();
            return "";
        }
    }
}
