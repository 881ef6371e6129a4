using System;

namespace Substrate.Forms
{
    /// <summary>What an action works on, as it was when it was listed.</summary>
    sealed class Target
    {
        internal readonly Deed Deed;
        internal readonly Kind Kind;
        internal readonly WeakReference Control;
        internal readonly WeakReference Window;
        /// <summary>The words on a button: with others it would be another button.</summary>
        internal readonly string Text;
        /// <summary>For people: `the button "Save"`.</summary>
        internal readonly string Called;

        internal Target(Deed deed, Part part, WeakReference window, string called)
        {
            Deed = deed;
            Kind = part.Kind;
            Control = part.Memory.Control;
            Window = window;
            Text = part.Text;
            Called = called;
        }
    }
}
