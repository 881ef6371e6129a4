using System.Drawing;
using System.Windows.Forms;

namespace Example.Desk
{
    /// <summary>A dialog that keeps the window behind it from being used.</summary>
    sealed class Details : Form
    {
        readonly TextBox note = new TextBox { Bounds = new Rectangle(100, 10, 150, 22) };

        internal Details()
        {
            Text = "Order details";
            ClientSize = new Size(280, 100);
            FormBorderStyle = FormBorderStyle.FixedDialog;
            Controls.Add(new Label { Text = "Note:", Bounds = new Rectangle(10, 12, 80, 18) });
            Controls.Add(note);
            var ok = new Button { Text = "OK", DialogResult = DialogResult.OK };
            ok.SetBounds(100, 50, 80, 24);
            Controls.Add(ok);
            AcceptButton = ok;
        }

        internal string Note { get { return note.Text; } }
    }
}
