import java.time.LocalDate;
import javafx.application.Application;
import javafx.application.Platform;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.collections.FXCollections;
import javafx.scene.Scene;
import javafx.scene.control.Alert;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.ChoiceBox;
import javafx.scene.control.ComboBox;
import javafx.scene.control.DatePicker;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.ListView;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuBar;
import javafx.scene.control.MenuItem;
import javafx.scene.control.PasswordField;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.RadioButton;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.Slider;
import javafx.scene.control.Spinner;
import javafx.scene.control.Tab;
import javafx.scene.control.TabPane;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.TextArea;
import javafx.scene.control.TextField;
import javafx.scene.control.TitledPane;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.control.TreeItem;
import javafx.scene.control.TreeView;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.stage.Stage;

/** A hotel's front desk with one of each kind of control. Commands come on stdin: `close`. */
public final class FxDesk extends Application {
    /** Its text is the one that every object has. */
    public static final class Guest {
        final SimpleStringProperty name;
        final SimpleIntegerProperty nights;

        Guest(String name, int nights) {
            this.name = new SimpleStringProperty(name);
            this.nights = new SimpleIntegerProperty(nights);
        }
    }

    public static final class Room {
        final String title;

        Room(String title) {
            this.title = title;
        }
    }

    /** Its words stand beside the button that covers it. */
    static final class Tile extends StackPane {
        Tile(String title, Runnable pressed) {
            Button cover = new Button();
            cover.setMinSize(160, 40);
            cover.setOnAction(event -> pressed.run());
            getChildren().addAll(new Label(title), cover);
        }
    }

    private final Label status = new Label("nothing yet");

    public static void main(String[] args) {
        launch(args);
    }

    @Override
    public void start(Stage stage) {
        status.setId("statusLabel");
        TabPane tabs = new TabPane(new Tab("Booking", booking()), new Tab("Guests", guests()));
        BorderPane root = new BorderPane(tabs);
        root.setTop(menus(stage));
        root.setBottom(status);
        stage.setTitle("Front desk");
        stage.setScene(new Scene(root, 900, 800));
        stage.show();
        System.out.println("ready");
    }

    private MenuBar menus(Stage stage) {
        MenuItem save = new MenuItem("_Save booking");
        save.setOnAction(event -> status.setText("saved"));
        CheckMenuItem quiet = new CheckMenuItem("Quiet hours");
        quiet.setOnAction(event -> status.setText("quiet " + quiet.isSelected()));
        MenuItem quit = new MenuItem("Quit");
        quit.setOnAction(event -> Platform.exit());
        return new MenuBar(new Menu("File", null, save, quiet, quit));
    }

    private VBox booking() {
        GridPane form = new GridPane();
        TextField name = new TextField("Ada");
        name.setOnAction(event -> status.setText("entered " + name.getText()));
        PasswordField pin = new PasswordField();
        pin.setText("swordfish");
        ComboBox<String> room = new ComboBox<>(FXCollections.observableArrayList("Blue", "Green", "Red"));
        room.setValue("Blue");
        ChoiceBox<Integer> beds = new ChoiceBox<>(FXCollections.observableArrayList(1, 2, 3));
        beds.setValue(2);
        DatePicker arrival = new DatePicker(LocalDate.of(2024, 5, 31));
        Spinner<Integer> nights = new Spinner<>(1, 30, 3);
        Slider heat = new Slider(0, 30, 21);
        TextArea notes = new TextArea("late arrival");
        notes.setPrefRowCount(2);
        Object[][] rows = {
            {"Guest name", name}, {"Door PIN", pin}, {"Room", room}, {"Beds", beds}, {"Arrival", arrival},
            {"Nights", nights}, {"Heating", heat}, {"Notes", notes}, {"Cleaning", new ProgressBar(0.25)},
        };
        for (int at = 0; at < rows.length; at++)
            form.addRow(at, new Label(rows[at][0] + ":"), (javafx.scene.Node) rows[at][1]);
        CheckBox breakfast = new CheckBox("Breakfast");
        breakfast.setOnAction(event -> status.setText("breakfast " + breakfast.isSelected()));
        ToggleGroup payment = new ToggleGroup();
        RadioButton cash = new RadioButton("Cash");
        RadioButton card = new RadioButton("Card");
        cash.setToggleGroup(payment);
        card.setToggleGroup(payment);
        cash.setSelected(true);
        Button cancel = new Button("Cancel booking");
        cancel.setOnAction(event -> {
            Alert alert = new Alert(Alert.AlertType.CONFIRMATION, "Cancel the booking of " + name.getText() + "?");
            alert.setHeaderText("Please confirm");
            alert.showAndWait().ifPresent(answer -> status.setText("answered " + answer.getText()));
        });
        Button print = new Button();
        print.setTooltip(new Tooltip("Print the bill"));
        print.setOnAction(event -> status.setText("printed"));
        Button broken = new Button("Break");
        broken.setOnAction(event -> { throw new IllegalStateException("out of paper"); });
        Button locked = new Button("Locked");
        locked.setDisable(true);
        Label hidden = new Label("Hidden words");
        hidden.setVisible(false);
        TitledPane extras = new TitledPane("Extras", new VBox(new CheckBox("Parking")));
        extras.setAnimated(false);
        extras.setExpanded(false);
        Hyperlink help = new Hyperlink("Help");
        help.setOnAction(event -> status.setText("helped"));
        return new VBox(form, breakfast, cash, card, cancel, print, broken, locked, hidden, extras, help,
            new Tile("Send bill", () -> status.setText("sent")));
    }

    private ScrollPane guests() {
        TableView<Guest> table = new TableView<>(FXCollections.observableArrayList(
            new Guest("Ada", 3), new Guest("Grace", 1)));
        TableColumn<Guest, String> name = new TableColumn<>("Name");
        name.setCellValueFactory(row -> row.getValue().name);
        TableColumn<Guest, Number> nights = new TableColumn<>("Nights");
        nights.setCellValueFactory(row -> row.getValue().nights);
        table.getColumns().add(name);
        table.getColumns().add(nights);
        table.setId("guestTable");
        table.setPrefHeight(150);
        ListView<Room> rooms = new ListView<>(FXCollections.observableArrayList(new Room("Attic"), new Room("Cellar")));
        rooms.setId("roomList");
        rooms.setPrefHeight(80);
        rooms.getSelectionModel().selectedIndexProperty().addListener((seen, before, now) ->
            status.setText("room " + now));
        TreeItem<String> house = new TreeItem<>("House");
        TreeItem<String> floor = new TreeItem<>("First floor");
        floor.getChildren().add(new TreeItem<>("Room 11"));
        house.getChildren().add(floor);
        house.setExpanded(true);
        TreeView<String> tree = new TreeView<>(house);
        tree.setId("houseTree");
        tree.setPrefHeight(120);
        return new ScrollPane(new VBox(table, rooms, tree));
    }
}
