using System;
using System.Drawing;
using System.Threading;
using System.Windows.Forms;

namespace Example.Desk
{
    /// <summary>Controls that make it hard to look at them.</summary>
    sealed class OddDesk : Form
    {
        /// <summary>The framework itself asks them while it makes the window.</summary>
        static bool isShown;

        internal OddDesk()
        {
            Text = "Odd desk";
            Name = "OddDesk";
            ClientSize = new Size(400, 400);
            Controls.Add(new Label { Text = "Plain:", Bounds = new Rectangle(10, 10, 80, 18) });
            Controls.Add(new TextBox { Text = "fine", Bounds = new Rectangle(100, 10, 100, 22) });
            Controls.Add(new Throwing { Name = "throwing", Bounds = new Rectangle(10, 40, 100, 22) });
            Controls.Add(new Unequal { Name = "unequal", Text = "also fine", Bounds = new Rectangle(10, 70, 100, 22) });
            Controls.Add(new Endless { Name = "endless", Bounds = new Rectangle(200, 70, 100, 22) });
            var slow = new ListView
            {
                Name = "slowList", View = View.Details, VirtualMode = true, VirtualListSize = 500,
                Bounds = new Rectangle(10, 100, 200, 80),
            };
            slow.Columns.Add("Row");
            slow.RetrieveVirtualItem += (sender, asked) =>
            {
                Thread.Sleep(2);
                asked.Item = new ListViewItem("row " + asked.ItemIndex);
            };
            Controls.Add(slow);
            Controls.Add(Owners());
            Controls.Add(Flicker());
            Shown += (sender, shown) =>
            {
                isShown = true;
                FrontDesk.Say("ready");
            };
        }

        /// <summary>It says that its text is longer than anybody would want to read.</summary>
        sealed class Endless : TextBox
        {
            public override int TextLength { get { return isShown ? 1000000 : base.TextLength; } }
        }

        /// <summary>Objects without a text of their own.</summary>
        static ListBox Owners()
        {
            var list = new ListBox { Name = "lstOwners", Bounds = new Rectangle(10, 190, 200, 60) };
            list.Items.Add(new object());
            list.Items.Add(7);
            list.Items.Add(new Keeper { Name = "Ada" });
            list.Items.Add(new Keeper());
            return list;
        }

        sealed class Keeper
        {
            public string Name { get; set; }
        }

        /// <summary>A window that comes and goes all the time.</summary>
        static Button Flicker()
        {
            var button = new Button { Text = "Flicker", Bounds = new Rectangle(10, 260, 100, 24) };
            button.Click += (sender, click) =>
            {
                int left = 40;
                var timer = new System.Windows.Forms.Timer { Interval = 5 };
                Form shown = null;
                timer.Tick += (other, tick) =>
                {
                    if (shown != null) shown.Close();
                    shown = left-- > 0 ? new Form { Text = "Flicker " + left, Name = "flicker" } : null;
                    if (shown != null) shown.Show();
                    else
                    {
                        timer.Stop();
                        FrontDesk.Say("flickered");
                    }
                };
                timer.Start();
            };
            return button;
        }

        sealed class Throwing : TextBox
        {
            public override string Text
            {
                get
                {
                    if (isShown) throw new InvalidOperationException("not to be read");
                    return base.Text;
                }
                set
                {
                    if (isShown) throw new InvalidOperationException("not to be written");
                    base.Text = value;
                }
            }
        }

        sealed class Unequal : TextBox
        {
            public override bool Equals(object other)
            {
                if (isShown) FrontDesk.Say("Equals was called");
                return false;
            }

            public override int GetHashCode()
            {
                if (isShown) FrontDesk.Say("GetHashCode was called");
                return 1;
            }

            public override string ToString()
            {
                if (isShown) FrontDesk.Say("ToString was called");
                return "no";
            }
        }
    }
}
