import java.util.List;

public interface CellarMBean {
    int getShelves();

    List<String> getBottles();
}
