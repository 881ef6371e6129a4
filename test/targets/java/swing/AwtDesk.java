import java.awt.Button;
import java.awt.Checkbox;
import java.awt.Choice;
import java.awt.FlowLayout;
import java.awt.Frame;
import java.awt.Label;
import java.awt.Menu;
import java.awt.MenuBar;
import java.awt.MenuItem;
import java.awt.TextField;

/** A window of AWT alone. */
public final class AwtDesk extends Frame {
    private static final long serialVersionUID = 1L;
    private final TextField nameField = new TextField("Ada", 12);
    private final TextField secretField = new TextField("tops3cret", 12);
    private final Checkbox urgentBox = new Checkbox("Urgent");
    private final Choice colourChoice = new Choice();

    private AwtDesk() {
        super("AWT desk");
        setLayout(new FlowLayout());
        secretField.setEchoChar('*');
        colourChoice.add("red");
        colourChoice.add("blue");
        Button greet = new Button("Greet");
        greet.addActionListener(event -> System.out.println("hello " + nameField.getText()));
        urgentBox.addItemListener(event -> System.out.println("urgent " + event.getStateChange()));
        colourChoice.addItemListener(event -> System.out.println("colour " + colourChoice.getSelectedItem()));
        add(new Label("Name:"));
        add(nameField);
        add(secretField);
        add(urgentBox);
        add(colourChoice);
        add(greet);
        MenuBar bar = new MenuBar();
        Menu tools = new Menu("Tools");
        MenuItem count = new MenuItem("Count");
        count.addActionListener(event -> System.out.println("counted"));
        tools.add(count);
        bar.add(tools);
        setMenuBar(bar);
        pack();
    }

    public static void main(String[] args) {
        new AwtDesk().setVisible(true);
        System.out.println("ready");
    }
}
