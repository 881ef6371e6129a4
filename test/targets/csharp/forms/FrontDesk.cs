using System;
using System.Data;
using System.Drawing;
using System.Threading;
using System.Windows.Forms;

namespace Example.Desk
{
    /// <summary>
    /// A window with a form, lists, a grid, a tree, menus and dialogs. Writes a line to its output for what its
    /// handlers are told.
    /// </summary>
    sealed class FrontDesk : Form
    {
        readonly TextBox txtCustomer = new TextBox { Name = "txtCustomer", Text = "Ada" };
        readonly TextBox txtAmount = new TextBox { Name = "txtAmount", Text = "12.50" };
        readonly CheckBox expressBox = new CheckBox { Text = "E&xpress delivery" };
        readonly ComboBox sizeBox = new ComboBox { DropDownStyle = ComboBoxStyle.DropDownList };
        readonly NumericUpDown copies = new NumericUpDown { Minimum = 1, Maximum = 9, Value = 2 };
        readonly TrackBar volume = new TrackBar { Minimum = 0, Maximum = 100, Value = 30 };
        readonly DateTimePicker due = new DateTimePicker { Value = new DateTime(2024, 5, 31) };
        readonly ToolStripStatusLabel statusLabel = new ToolStripStatusLabel("Ready") { Name = "statusLabel" };
        readonly ToolStripTextBox findBox = new ToolStripTextBox { Name = "findBox", ToolTipText = "Find" };
        readonly ToolTip tips = new ToolTip();
        readonly ListView shelf = new ListView { View = View.Details, FullRowSelect = true };
        readonly TreeView places = new TreeView();
        readonly ListView ledger = new ListView { View = View.Details, VirtualMode = true, VirtualListSize = 1000000 };
        readonly DataGridView grid = new DataGridView { Name = "ordersGrid", AllowUserToAddRows = false };
        readonly Button change = new Button { Text = "Change me", Location = new Point(10, 300) };
        int saved;
        internal static int LedgerAsked;

        [STAThread]
        static void Main(string[] args)
        {
            Application.ThreadException += (sender, thrown) => Say("unhandled " + thrown.Exception.Message);
            string which = args.Length == 0 ? "" : args[0];
            Form desk = which == "odd" ? new OddDesk() : which == "old" ? (Form)new OldDesk() : new FrontDesk();
            if (which == "two") desk.Shown += (sender, shown) => StartSecond();
            Application.Run(desk);
            Say("ended");
        }

        /// <summary>A window with a thread of its own.</summary>
        static void StartSecond()
        {
            var thread = new Thread(() =>
            {
                var window = new Form { Text = "Side desk", Name = "sideDesk" };
                window.Controls.Add(Beside(new Label { Text = "Guest:" }, new TextBox { Text = "Grace" }, 10));
                Application.Run(window);
            });
            thread.IsBackground = true;
            thread.Start();
        }

        FrontDesk()
        {
            Text = "Front desk";
            Name = "FrontDesk";
            ClientSize = new Size(620, 480);
            var tabs = new TabControl { Dock = DockStyle.Fill };
            tabs.TabPages.Add(Order());
            tabs.TabPages.Add(Stock());
            tabs.TabPages.Add(Orders());
            Controls.Add(tabs);
            Controls.Add(Tools());
            Controls.Add(Status());
            MainMenuStrip = Menus();
            Controls.Add(MainMenuStrip);
            Shown += (sender, shown) => Say("ready");
        }

        MenuStrip Menus()
        {
            var bar = new MenuStrip();
            var file = new ToolStripMenuItem("&File");
            file.DropDownItems.Add("&New order...", null, (sender, click) => SetStatus("new order"));
            var export = new ToolStripMenuItem("Export");
            export.DropDownItems.Add("As CSV", null, (sender, click) => SetStatus("exported"));
            file.DropDownItems.Add(export);
            file.DropDownItems.Add(new ToolStripSeparator());
            file.DropDownItems.Add(new ToolStripMenuItem("Print") { Enabled = false });
            var view = new ToolStripMenuItem("View");
            var rulers = new ToolStripMenuItem("Show grid") { CheckOnClick = true, Checked = true };
            rulers.CheckedChanged += (sender, change) => Say("grid " + rulers.Checked);
            view.DropDownItems.Add(rulers);
            bar.Items.Add(file);
            bar.Items.Add(view);
            return bar;
        }

        ToolStrip Tools()
        {
            var bar = new ToolStrip();
            bar.Items.Add(new ToolStripButton("toolStripButton1", null, (sender, click) => SetStatus("refreshed"))
            {
                Name = "toolStripButton1", ToolTipText = "Refresh (F5)", DisplayStyle = ToolStripItemDisplayStyle.Image,
            });
            bar.Items.Add(new ToolStripButton("Bold") { CheckOnClick = true });
            bar.Items.Add(new ToolStripButton("Paste") { Enabled = false });
            findBox.KeyDown += (sender, key) =>
            {
                if (key.KeyCode == Keys.Enter) SetStatus("found " + findBox.Text);
            };
            bar.Items.Add(findBox);
            return bar;
        }

        StatusStrip Status()
        {
            var bar = new StatusStrip();
            bar.Items.Add(statusLabel);
            bar.Items.Add(new ToolStripStatusLabel("Total: 42.50"));
            bar.Items.Add(new ToolStripProgressBar { Name = "uploadProgress", Value = 40 });
            return bar;
        }

        TabPage Order()
        {
            var page = new TabPage("Order");
            sizeBox.Items.AddRange(new object[] { "small", "medium", "large" });
            sizeBox.SelectedIndex = 0;
            page.Controls.Add(Beside(new Label { Text = "&Customer name:" }, txtCustomer, 5));
            var password = new TextBox { Text = "tops3cret", UseSystemPasswordChar = true };
            page.Controls.Add(Beside(new Label { Text = "Password" }, password, 35));
            var pin = new TextBox { Text = "tops3cret", PasswordChar = '*' };
            page.Controls.Add(Beside(new Label { Text = "PIN" }, pin, 65));
            page.Controls.Add(Beside(new Label { Text = "Size:" }, sizeBox, 95));
            page.Controls.Add(Beside(new Label { Text = "Copies:" }, copies, 125));
            page.Controls.Add(Beside(new Label { Text = "Due:" }, due, 155));
            var remark = new TextBox { Text = "plain", Enabled = false };
            page.Controls.Add(Beside(new Label { Text = "Remark:" }, remark, 185));
            page.Controls.Add(Beside(new Label { Text = "Volume:" }, volume, 215));
            page.Controls.Add(Beside(new Label(), txtAmount, 265));
            expressBox.SetBounds(10, 295, 150, 22);
            page.Controls.Add(expressBox);
            page.Controls.Add(Payment());
            page.Controls.Add(new Label { Text = "Delivery notes", Bounds = new Rectangle(320, 100, 200, 18) });
            page.Controls.Add(new TextBox
            {
                Multiline = true, Text = "first line\r\nsecond line", Bounds = new Rectangle(320, 120, 200, 60),
            });
            Buttons(page);
            txtCustomer.TextChanged += (sender, typed) => Say("typed " + txtCustomer.Text);
            expressBox.Click += (sender, click) => Say("express " + expressBox.Checked);
            sizeBox.SelectionChangeCommitted += (sender, chosen) => Say("size " + sizeBox.SelectedItem);
            copies.ValueChanged += (sender, changed) => Say("copies " + copies.Value);
            volume.Scroll += (sender, scrolled) => Say("volume " + volume.Value);
            due.ValueChanged += (sender, changed) => Say("due " + due.Value.ToString("yyyy-MM-dd"));
            return page;
        }

        GroupBox Payment()
        {
            var box = new GroupBox { Text = "Payment", Bounds = new Rectangle(320, 5, 200, 80) };
            foreach (string way in new[] { "Invoice", "Card", "Cash" })
            {
                var radio = new RadioButton { Text = way, Checked = way == "Invoice" };
                radio.SetBounds(10 + 62 * box.Controls.Count, 25, 62, 22);
                radio.Enabled = way != "Cash";
                radio.Click += (sender, click) => Say("payment " + radio.Text);
                box.Controls.Add(radio);
            }
            return box;
        }

        void Buttons(TabPage page)
        {
            Add(page, new Button { Text = "&Save order" }, 190, () => SetStatus("saved " + ++saved));
            Add(page, new Button { Text = "Ask" }, 215, () => SetStatus("answered " +
                MessageBox.Show(this, "Really order?", "Question", MessageBoxButtons.OKCancel)));
            Add(page, new Button { Text = "Details..." }, 240, () =>
            {
                using (var details = new Details())
                    SetStatus("details " + details.ShowDialog(this) + " " + details.Note);
            });
            Add(page, new Button { Text = "Fail" }, 265, () => { throw new InvalidOperationException("no stock"); });
            Add(page, new Button { Text = "Hang" }, 290, () =>
            {
                Say("hanging");
                Thread.Sleep(3000);
                Say("hung");
            });
            Add(page, new Button { Text = "Locked", Enabled = false }, 315, () => Say("locked"));
            Add(page, change, 340, () => Say("changed"));
            var picture = new Button();
            tips.SetToolTip(picture, "Lock the desk");
            Add(page, picture, 190, () => change.Text = "Other words");
            picture.Left = 450;
        }

        static void Add(TabPage page, Button button, int top, Action work)
        {
            button.SetBounds(320, top, 120, 24);
            button.Click += (sender, click) => work();
            page.Controls.Add(button);
        }

        TabPage Stock()
        {
            var page = new TabPage("Stock");
            page.Controls.Add(new Label { Text = "Shelf", Bounds = new Rectangle(5, 5, 100, 18) });
            shelf.Bounds = new Rectangle(5, 25, 280, 120);
            shelf.Columns.Add("Item");
            shelf.Columns.Add("In stock");
            shelf.Items.Add(new ListViewItem(new[] { "tea", "3" }));
            shelf.Items.Add(new ListViewItem(new[] { "milk", "7" }));
            shelf.ItemActivate += (sender, open) => SetStatus("opened " + shelf.SelectedItems[0].Text);
            page.Controls.Add(shelf);
            page.Controls.Add(new Label { Text = "Places", Bounds = new Rectangle(300, 5, 100, 18) });
            places.Bounds = new Rectangle(300, 25, 200, 120);
            TreeNode north = places.Nodes.Add("Warehouse").Nodes.Add("North");
            north.Nodes.Add("Bay 1");
            places.Nodes[0].Expand();
            page.Controls.Add(places);
            page.Controls.Add(new Label { Text = "Suppliers", Bounds = new Rectangle(5, 150, 100, 18) });
            var suppliers = new ListBox { Bounds = new Rectangle(5, 170, 200, 80), DisplayMember = "Title" };
            suppliers.Items.Add(new Supplier("Lyon"));
            suppliers.Items.Add(new Supplier("Oslo"));
            page.Controls.Add(suppliers);
            page.Controls.Add(new Label { Text = "Extras", Bounds = new Rectangle(220, 150, 100, 18) });
            var extras = new CheckedListBox { Bounds = new Rectangle(220, 170, 150, 80) };
            extras.Items.Add("Gift wrap", true);
            extras.Items.Add("Card", false);
            page.Controls.Add(extras);
            page.Controls.Add(new Label { Text = "Ledger", Bounds = new Rectangle(380, 150, 100, 18) });
            ledger.Bounds = new Rectangle(380, 170, 180, 80);
            ledger.Columns.Add("Entry");
            ledger.RetrieveVirtualItem += (sender, asked) =>
            {
                LedgerAsked++;
                asked.Item = new ListViewItem("entry " + asked.ItemIndex);
            };
            page.Controls.Add(ledger);
            return page;
        }

        TabPage Orders()
        {
            var page = new TabPage("Orders");
            var table = new DataTable();
            table.Columns.Add("Item", typeof(string));
            table.Columns.Add("Count", typeof(int));
            table.Columns.Add("Paid", typeof(bool));
            table.Rows.Add("tea", 2, true);
            table.Rows.Add("milk", 1, false);
            grid.Dock = DockStyle.Fill;
            grid.DataSource = table;
            table.RowChanged += (sender, row) => Say("row " + row.Row[0] + " " + row.Row[1]);
            page.Controls.Add(grid);
            return page;
        }

        static Panel Beside(Label label, Control field, int top)
        {
            var row = new Panel { Bounds = new Rectangle(0, top, 300, field is TrackBar ? 45 : 26) };
            label.SetBounds(10, 3, 110, 18);
            field.SetBounds(125, 0, 160, 22);
            row.Controls.Add(field);
            row.Controls.Add(label);
            return row;
        }

        void SetStatus(string text)
        {
            statusLabel.Text = text;
            Say(text);
        }

        internal static void Say(string line)
        {
            Console.WriteLine(line);
        }

        sealed class Supplier
        {
            readonly string city;

            internal Supplier(string city)
            {
                this.city = city;
            }

            public string Title { get { return "Supplier in " + city; } }
        }
    }
}
