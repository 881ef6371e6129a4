using System;
using System.Collections;
using System.Collections.Concurrent;
using System.Globalization;
using System.Reflection;
using System.Runtime.ExceptionServices;
using Substrate.Health;

namespace Substrate.Forms
{
    // Reads properties of Windows Forms classes, such as `Control.Name`. A control of the app may override them, so
    // they are read on the thread of the window only, as the framework itself does when it paints; one that throws has
    // no value.
    static class Property
    {
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        // Properties that every snapshot reads: resolved before, so that the threads of windows do not wait for that.
        const string Usual =
            "Control: Name Enabled AccessibleName Left Top Width Height Text Parent Controls Visible Events; "
            + "Control: IsHandleCreated InvokeRequired; Form: Menu TopLevel Modal; TextBoxBase: TextLength ReadOnly; "
            + "TextBox: UseSystemPasswordChar PasswordChar; MaskedTextBox: UseSystemPasswordChar PasswordChar; "
            + "CheckBox: Checked CheckState; RadioButton: Checked; TrackBar: Value Minimum Maximum; "
            + "NumericUpDown: Value Minimum Maximum; UpDownBase: ReadOnly; DateTimePicker: Value; "
            + "MonthCalendar: SelectionStart; ProgressBar: Value Minimum Maximum; StatusBar: Panels ShowPanels; "
            + "StatusBarPanel: Text Name; ToolStrip: Items; ToolStripControlHost: Control; "
            + "ToolStripItem: Text ToolTipText Name AccessibleName Enabled Available Width; "
            + "ToolStripDropDownItem: HasDropDownItems DropDownItems; ToolStripMenuItem: Checked CheckOnClick; "
            + "ToolStripButton: Checked CheckOnClick; MenuItem: Text Enabled Visible Checked; Menu: Name MenuItems; "
            + "ListBox: Items SelectedIndex SelectedIndices; ComboBox: Items SelectedIndex DropDownStyle Text; "
            + "ListView: Items VirtualMode VirtualListSize View Columns SelectedIndices CheckBoxes; "
            + "ColumnHeader: Text; ListViewItem: Text Checked SubItems; ListViewItem+ListViewSubItem: Text; "
            + "TreeView: SelectedNode Nodes CheckBoxes; TreeNode: Checked Nodes IsExpanded Text Parent; "
            + "TabControl: SelectedIndex TabPages SelectedTab; DataGridViewBand: Index; DataGridViewRow: Cells; "
            + "DataGridView: Columns Rows NewRowIndex ReadOnly CurrentRow; DataGridViewCell: Value FormattedValue; "
            + "DataGridViewColumn: HeaderText Name Visible DisplayIndex";
        // By reference, which costs a third: all names are literals.
        static readonly ConcurrentDictionary<object, Getter> Getters =
            new ConcurrentDictionary<object, Getter>(new ByReference());

        internal static void FindUsual()
        {
            foreach (string part in Usual.Split(new[] { "; " }, StringSplitOptions.None))
            {
                string[] names = part.Split(':', ' ');
                for (int at = 2; at < names.Length; at++) Find(string.Intern(names[0] + "." + names[at]));
            }
        }

        internal static object Of(object target, string name)
        {
            try
            {
                return target == null ? null : Find(name).Of(target);
            }
            catch (Exception discarded)
            {
                Discarded.Count("Property.Of", discarded);
                return null;
            }
        }

        internal static bool Flag(object target, string name) => true.Equals(Of(target, name));

        // The number of an enum value.
        internal static int Number(object target, string name)
        {
            object value = Of(target, name);
            if (value is int) return (int)value;
            return value is Enum ? ((IConvertible)value).ToInt32(CultureInfo.InvariantCulture) : 0;
        }

        // Null if there is none, or it is empty.
        internal static string Text(object target, string name)
        {
            var text = Of(target, name) as string;
            return string.IsNullOrEmpty(text) ? null : text;
        }

        internal static IList List(object target, string name) => Of(target, name) as IList;

        // Throws the exceptions of the app's handlers.
        internal static void Set(object target, string name, object value)
        {
            PropertyInfo property = Resolve(name);
            if (property == null) throw new MissingMemberException(name);
            try
            {
                property.SetValue(target, value, null);
            }
            catch (TargetInvocationException thrown)
            {
                ExceptionDispatchInfo.Capture(thrown.InnerException ?? thrown).Throw();
            }
        }

        static Getter Find(string name)
        {
            Getter getter;
            if (Getters.TryGetValue(name, out getter)) return getter;
            return Getters[string.Intern(name)] = Getter.Make(Resolve(name));
        }

        // Null if this version does not have it. A property that a class declares again counts for that class.
        static PropertyInfo Resolve(string name)
        {
            int dot = name.LastIndexOf('.');
            for (Type at = Library.Class(name.Substring(0, dot)); at != null; at = at.BaseType)
                foreach (PropertyInfo candidate in at.GetProperties(Any | BindingFlags.DeclaredOnly))
                    if (candidate.Name == name.Substring(dot + 1) && candidate.GetIndexParameters().Length == 0)
                        return candidate;
            return null;
        }

        // Calls the getter of a property whose types are known only at run time.
        class Getter
        {
            // Null also where the object has no such property.
            internal virtual object Of(object target) => null;

            internal static Getter Make(PropertyInfo property)
            {
                MethodInfo method = property == null ? null : property.GetGetMethod(true);
                if (method == null) return new Getter();
                Type made = typeof(Typed<,>).MakeGenericType(method.DeclaringType, method.ReturnType);
                return (Getter)Activator.CreateInstance(made, method);
            }
        }

        // A delegate costs a hundredth of a call by reflection, and a snapshot of a window makes thousands.
        sealed class Typed<TTarget, TValue> : Getter where TTarget : class
        {
            readonly Func<TTarget, TValue> call;

            public Typed(MethodInfo method)
            {
                call = (Func<TTarget, TValue>)Delegate.CreateDelegate(typeof(Func<TTarget, TValue>), method);
            }

            internal override object Of(object target)
            {
                var typed = target as TTarget;
                return typed == null ? null : (object)call(typed);
            }
        }
    }
}
