import java.sql.*;

/** Runs one statement and prints the first column of what it gives. */
class Sql {
  public static void main(String[] args) throws Exception {
    try (Connection connection = DriverManager.getConnection(args[0], "SA", "");
        Statement statement = connection.createStatement()) {
      if (!statement.execute(args[1])) return;
      try (ResultSet rows = statement.getResultSet()) {
        while (rows.next()) System.out.println(rows.getString(1));
      }
    }
  }
}
