import java.sql.*;

/** Runs one statement and prints the first column of what it gives. */
class Sql {
  public static void main(String[] args) throws Exception {
    String user = args.length > 2 ? args[2] : "SA";
    String password = args.length > 3 ? args[3] : "";
    try (Connection connection = DriverManager.getConnection(args[0], user, password);
        Statement statement = connection.createStatement()) {
      if (!statement.execute(args[1])) return;
      try (ResultSet rows = statement.getResultSet()) {
        while (rows.next()) System.out.println(rows.getString(1));
      }
    }
  }
}
