using System;
using System.Drawing;
using System.Windows.Forms;

namespace Example.Desk
{
    /// <summary>Windows inside of a window, and controls that programs of today use less.</summary>
    sealed class OldDesk : Form
    {
        readonly StatusBar status = new StatusBar { Text = "Ready" };
        readonly DomainUpDown mood = new DomainUpDown { Name = "moodUpDown", Text = "calm" };

        internal OldDesk()
        {
            Text = "Old desk";
            Name = "OldDesk";
            ClientSize = new Size(600, 450);
            IsMdiContainer = true;
            Menu = Menus();
            Controls.Add(status);
            Controls.Add(Side());
            Controls.Add(Tools());
            Shown += (sender, shown) =>
            {
                Paper("Letter").Show();
                Paper("Invoice").Show();
                FrontDesk.Say("ready");
            };
        }

        MainMenu Menus()
        {
            var menu = new MainMenu();
            MenuItem file = menu.MenuItems.Add("&File");
            file.MenuItems.Add("Count", (sender, click) => status.Text = "counted");
            file.MenuItems.Add(new MenuItem("Frozen") { Enabled = false });
            var pinned = new MenuItem("Pinned") { Checked = true };
            pinned.Click += (sender, click) => pinned.Checked = !pinned.Checked;
            file.MenuItems.Add(pinned);
            return menu;
        }

        ToolStrip Tools()
        {
            var bar = new ToolStrip();
            var send = new ToolStripSplitButton("Copy");
            send.ButtonClick += (sender, click) => status.Text = "copied";
            send.DropDownItems.Add("Copy twice", null, (sender, click) => status.Text = "copied twice");
            bar.Items.Add(send);
            bar.Items.Add(new ToolStripLabel("Zoom"));
            var zoom = new ToolStripComboBox();
            zoom.Items.AddRange(new object[] { "50 %", "100 %" });
            zoom.SelectedIndex = 1;
            bar.Items.Add(zoom);
            return bar;
        }

        Panel Side()
        {
            var side = new Panel { Dock = DockStyle.Left, Width = 220 };
            var link = new LinkLabel { Text = "More...", Bounds = new Rectangle(5, 5, 100, 18) };
            link.LinkClicked += (sender, click) => status.Text = "followed";
            side.Controls.Add(link);
            mood.Items.AddRange(new object[] { "calm", "stormy" });
            mood.Bounds = new Rectangle(5, 30, 150, 22);
            side.Controls.Add(mood);
            var tasks = new ListView { Name = "lvTasks", View = View.List, CheckBoxes = true };
            tasks.SetBounds(5, 60, 200, 80);
            tasks.Items.Add("sweep");
            tasks.Items.Add("lock").Checked = true;
            side.Controls.Add(tasks);
            var rooms = new TreeView { Name = "tvRooms", CheckBoxes = true, Bounds = new Rectangle(5, 150, 200, 80) };
            rooms.Nodes.Add("Hall");
            rooms.NodeMouseDoubleClick += (sender, click) => status.Text = "entered " + click.Node.Text;
            side.Controls.Add(rooms);
            var third = new CheckBox { Text = "Third", ThreeState = true, CheckState = CheckState.Indeterminate };
            third.SetBounds(5, 240, 100, 20);
            side.Controls.Add(third);
            var day = new DateTimePicker { Name = "dtpDay", MinDate = new DateTime(2020, 1, 1) };
            day.Value = new DateTime(2024, 5, 31, 14, 30, 0);
            day.SetBounds(5, 320, 200, 22);
            side.Controls.Add(day);
            var still = new TextBox { Name = "txtFixed", ReadOnly = true, Text = "as it is" };
            still.SetBounds(5, 350, 200, 22);
            side.Controls.Add(still);
            return side;
        }

        Form Paper(string title)
        {
            var paper = new Form { MdiParent = this, Text = title, Name = title.ToLowerInvariant() };
            paper.ClientSize = new Size(200, 80);
            paper.Controls.Add(new Label { Text = "To:", Bounds = new Rectangle(5, 8, 40, 18) });
            string reader = "the reader of the " + title;
            paper.Controls.Add(new TextBox { Text = reader, Bounds = new Rectangle(50, 5, 120, 22) });
            return paper;
        }
    }
}
