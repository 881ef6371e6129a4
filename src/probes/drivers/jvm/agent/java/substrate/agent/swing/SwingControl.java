package substrate.agent.swing;

import java.text.ParseException;
import java.util.Enumeration;
import javax.swing.AbstractButton;
import javax.swing.ButtonGroup;
import javax.swing.ButtonModel;
import javax.swing.JComboBox;
import javax.swing.JFormattedTextField;
import javax.swing.JList;
import javax.swing.JSlider;
import javax.swing.JSpinner;
import javax.swing.JTabbedPane;
import javax.swing.JTable;
import javax.swing.JTextField;
import javax.swing.JTree;
import javax.swing.SpinnerDateModel;
import javax.swing.SpinnerListModel;
import javax.swing.text.JTextComponent;
import substrate.agent.act.BadArgument;
import substrate.agent.act.NotDispatched;
import substrate.agent.act.ValueMaker;
import substrate.agent.screen.Fields;
import substrate.agent.screen.RowReader;
import substrate.agent.screen.UiRequest;

/** Uses a Swing control as a person would. Runs on the event thread, and so do the app's listeners. */
final class SwingControl {
    private final UiRequest asked;

    SwingControl(UiRequest asked) {
        this.asked = asked;
    }

    void perform(Object control) throws Exception {
        switch (asked.operation) {
            case "press":
                press((AbstractButton) control);
                return;
            case "submit":
                ((JTextField) control).postActionEvent();
                return;
            case "set":
                set(control);
                return;
            case "choose":
                choose(control, asked.text("value"));
                return;
            case "set_cell":
                setCell((JTable) control);
                return;
            default:
                select(control);
        }
    }

    /** Like a click, without the pause in which a button looks pressed. */
    private static void press(AbstractButton button) {
        ButtonModel model = button.getModel();
        model.setArmed(true);
        model.setPressed(true);
        model.setPressed(false);
        model.setArmed(false);
    }

    private void set(Object control) throws Exception {
        if (control instanceof JTextComponent) write((JTextComponent) control, asked.text("value"));
        else if (control instanceof AbstractButton) {
            boolean isOn = asked.flag("value");
            if (((AbstractButton) control).isSelected() != isOn) press((AbstractButton) control);
        } else if (control instanceof JSlider) setSlider((JSlider) control, asked.whole("value"));
        else setSpinner((JSpinner) control);
    }

    private void write(JTextComponent field, String text) throws NotDispatched, ParseException {
        if (!field.isEditable()) throw asked.gone("cannot be written");
        field.setText(text);
        // The same happens when the field loses the focus.
        if (field instanceof JFormattedTextField) ((JFormattedTextField) field).commitEdit();
    }

    private void setSlider(JSlider slider, int value) throws BadArgument {
        if (value < slider.getMinimum() || value > slider.getMaximum())
            throw new BadArgument("value must be from " + slider.getMinimum() + " to " + slider.getMaximum());
        slider.setValue(value);
    }

    private void setSpinner(JSpinner spinner) throws BadArgument {
        Object now = spinner.getValue();
        Object value = asked.any("value");
        if (spinner.getModel() instanceof SpinnerListModel) {
            for (Object option : ((SpinnerListModel) spinner.getModel()).getList())
                if (String.valueOf(value).equals(String.valueOf(RowReader.textOrName(option)))) value = option;
        } else if (now instanceof Number) value = ValueMaker.like(value, now.getClass(), "value");
        else if (spinner.getModel() instanceof SpinnerDateModel)
            value = ValueMaker.like(value, java.util.Date.class, "value");
        try {
            spinner.setValue(value);
        } catch (IllegalArgumentException e) {
            throw new BadArgument("value is not one that " + asked.called + " can have");
        }
    }

    private void choose(Object control, String wanted) throws BadArgument {
        if (control instanceof JTabbedPane) {
            RowReader tabs = ListRows.ofTabs(control);
            tabs.read(Long.MAX_VALUE / 2 + System.nanoTime() / 2, Integer.MAX_VALUE);
            int at = tabs.rows.shown.indexOf(wanted);
            if (at < 0) throw UiRequest.unknown(wanted);
            ((JTabbedPane) control).setSelectedIndex(at);
        } else if (control instanceof JComboBox) chooseItem((JComboBox<?>) control, wanted);
        else press(radio((AbstractButton) control, wanted));
    }

    private void chooseItem(JComboBox<?> combo, String wanted) throws BadArgument {
        for (int at = 0; at < combo.getItemCount(); at++) {
            if (wanted.equals(String.valueOf(ListRows.choiceText(combo, combo.getItemAt(at))))) {
                combo.setSelectedIndex(at);
                return;
            }
        }
        if (!combo.isEditable()) throw UiRequest.unknown(wanted);
        combo.setSelectedItem(wanted);
    }

    private AbstractButton radio(AbstractButton one, String wanted) throws BadArgument {
        Object group = Fields.of(one.getModel(), "javax.swing.DefaultButtonModel.group");
        if (group instanceof ButtonGroup) {
            for (Enumeration<AbstractButton> all = ((ButtonGroup) group).getElements(); all.hasMoreElements();) {
                AbstractButton button = all.nextElement();
                if (wanted.equals(ControlReader.buttonText(button)) && button.isEnabled()) return button;
            }
        }
        throw UiRequest.unknown(wanted);
    }

    private void select(Object control) throws BadArgument {
        if (control instanceof JList) {
            JList<?> list = (JList<?>) control;
            int at = asked.index(list.getModel().getSize());
            list.setSelectedIndex(at);
            list.ensureIndexIsVisible(at);
        } else if (control instanceof JTable) {
            JTable table = (JTable) control;
            int at = asked.index(table.getRowCount());
            table.changeSelection(at, Math.max(0, table.getSelectedColumn()), false, false);
        } else selectNode((JTree) control);
    }

    private void selectNode(JTree tree) throws BadArgument {
        int at = asked.index(tree.getRowCount());
        if (asked.operation.equals("expand")) tree.expandRow(at);
        else if (asked.operation.equals("collapse")) tree.collapseRow(at);
        else {
            tree.setSelectionRow(at);
            tree.scrollRowToVisible(at);
        }
    }

    private void setCell(JTable table) throws BadArgument, NotDispatched {
        int row = asked.index(table.getRowCount());
        int column = asked.whole("column");
        if (!asked.text("title").equals(TableRows.title(table.getColumnModel(), column)))
            throw asked.gone("has other columns now");
        if (!table.isCellEditable(row, column))
            throw new NotDispatched("this cell of " + asked.called + " cannot be written");
        Class<?> type = table.getColumnClass(column);
        Object value = asked.any("value");
        table.setValueAt(type == Object.class ? value : ValueMaker.like(value, type, "value"), row, column);
    }
}
