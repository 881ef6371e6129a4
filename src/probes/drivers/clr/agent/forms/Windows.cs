using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Health;
using static Substrate.Forms.Property;

namespace Substrate.Forms
{
    // The open windows, and access to their threads.
    static class Windows
    {
        const int MaxWindows = 32;
        const BindingFlags Hidden = BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.DeclaredOnly;
        static FieldInfo openForms;
        static FieldInfo formList;
        static PropertyInfo activeForm;
        static FieldInfo messageText;
        static Type form;
        // Set last: other threads may read at the same time.
        static volatile bool isResolved;

        // Windows on the screen, the oldest first. The list is read from the field behind `Application.OpenForms`: the
        // property could create one. No code of the app runs here, so any thread may call it; nothing is locked. The
        // first call can run only the initialiser of the framework's own class.
        internal static List<object> Showing()
        {
            var showing = new List<object>();
            if (!Resolve()) return showing;
            object collection = openForms.GetValue(null);
            var list = collection == null ? null : formList.GetValue(collection) as ArrayList;
            for (int at = 0; list != null && at < list.Count && showing.Count < MaxWindows; at++)
            {
                object window = At(list, at);
                if (window != null && IsShowing(window) && Flag(window, "Form.TopLevel")) showing.Add(window);
            }
            return showing;
        }

        static object At(ArrayList list, int at)
        {
            try
            {
                return form.IsInstanceOfType(list[at]) ? list[at] : null;
            }
            catch (ArgumentOutOfRangeException)
            {
                // The list became shorter meanwhile.
                return null;
            }
        }

        static bool Resolve()
        {
            if (isResolved) return openForms != null && formList != null;
            if (!Library.IsLoaded()) return false;
            Type application = Library.Class("Application");
            Type collection = Library.Class("FormCollection");
            form = Library.Class("Form");
            if (application == null || collection == null || form == null)
            {
                isResolved = true;
                Parts.Miss("windows_forms", "Windows Forms has other classes than in known versions: " + FormsUi.Effect);
                return false;
            }
            foreach (FieldInfo field in application.GetFields(Hidden | BindingFlags.Static))
                if (field.FieldType == collection) openForms = field;
            foreach (FieldInfo field in collection.BaseType.GetFields(Hidden | BindingFlags.Instance))
                if (field.FieldType == typeof(ArrayList)) formList = field;
            Type box = Library.Class("MessageBox+MessageBoxForm");
            messageText = box == null ? null : box.GetField("msgbox_text", Hidden | BindingFlags.Instance);
            activeForm = form.GetProperty("ActiveForm", BindingFlags.Public | BindingFlags.Static);
            isResolved = true;
            if (openForms != null && formList != null) return true;
            Parts.Miss("windows_forms", "the list of windows is not where known versions keep it: " + FormsUi.Effect);
            return false;
        }

        internal static bool IsShowing(object window) =>
            Flag(window, "Control.IsHandleCreated") && Flag(window, "Control.Visible");

        internal static bool IsModal(object window) => Flag(window, "Form.Modal");

        // True if it is disabled, or blocked by a modal dialog that was opened after it on the same thread. Mono
        // disables windows for that, .NET does not show it.
        internal static bool IsBlocked(object window, List<object> showing)
        {
            if (!Flag(window, "Control.Enabled")) return true;
            bool isOlder = false;
            foreach (object other in showing)
            {
                if (isOlder && IsModal(other) && IsOfThisThread(other)) return true;
                isOlder |= ReferenceEquals(other, window);
            }
            return false;
        }

        internal static bool IsOfThisThread(object window) => !Flag(window, "Control.InvokeRequired");

        // The window that has the focus; call it on its thread only.
        internal static object Active()
        {
            try
            {
                return activeForm.GetValue(null, null);
            }
            catch (Exception discarded)
            {
                Discarded.Count("Windows.Active", discarded);
                return null;
            }
        }

        // Call it on the thread of the window only.
        internal static string TitleOf(object window) => Text(window, "Control.Text") ?? "";

        // The text of a message box, which paints it itself; null if the window is none.
        internal static string MessageOf(object window)
        {
            bool isBox = messageText != null && messageText.DeclaringType.IsInstanceOfType(window);
            return isBox ? messageText.GetValue(window) as string : null;
        }

        // Posts work to the thread of a window; false if it has none any more.
        internal static bool Post(object window, Action work)
        {
            try
            {
                if (!Flag(window, "Control.IsHandleCreated")) return false;
                Method.Call(window, "Control.BeginInvoke", work);
                return true;
            }
            catch (Exception discarded)
            {
                Discarded.Count("Windows.Post", discarded);
                return false;
            }
        }
    }
}
