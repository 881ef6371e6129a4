using System;
using System.Collections.Generic;

namespace Substrate.Forms
{
    /// <summary>What was seen of one window.</summary>
    sealed class WindowPart
    {
        static readonly Property OwnName = new Property("Control", "Name");
        static readonly HiddenField MessageText = new HiddenField("MessageBox+MessageBoxForm", "msgbox_text");
        internal readonly Memory Memory;
        internal readonly Part Content;
        internal readonly string ClassName;
        internal readonly bool IsModal;
        /// <summary>A modal dialog keeps everything in it from being used.</summary>
        internal readonly bool IsBlocked;
        internal readonly bool IsActive;
        internal readonly string Title;
        /// <summary>Of a box that only says or asks something, and paints it itself.</summary>
        internal readonly string Message;
        /// <summary>What it would be called, were it the only one.</summary>
        internal readonly string Wanted;

        internal WindowPart(object window, Memory memory, List<object> showing, object active)
        {
            Memory = memory;
            Content = new Part(Kind.Group, null, memory);
            ClassName = window.GetType().FullName;
            IsModal = Windows.IsModal(window);
            IsBlocked = Windows.IsBlocked(window, showing);
            IsActive = ReferenceEquals(window, active);
            Title = Windows.TitleOf(window);
            Message = MessageText.Text(window);
            Wanted = NameOf(window);
        }

        /// <summary>
        /// What the app calls it, else its class: `MainForm` is `main_form`; of a class of the framework what it is.
        /// </summary>
        string NameOf(object window)
        {
            Type type = window.GetType();
            string name = "";
            if (!Library.Declares(type)) name = Names.FirstName(OwnName.Text(window), type.Name);
            else if (type == Library.Class("Form")) name = Names.ToName(OwnName.Text(window));
            return name.Length > 0 ? name : IsModal ? "dialog" : "window";
        }
    }
}
