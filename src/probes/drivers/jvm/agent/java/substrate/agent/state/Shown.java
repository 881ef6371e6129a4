package substrate.agent.state;

import java.util.List;

/** What the last walk showed, for those who call methods on it. */
public interface Shown {
    /** Raised when holders were added or removed. */
    int holdersVersion();

    /** Breadth first. */
    List<Holder> holders();

    /** The app's object at a path such as `users["odd key"].cart[2]`, of a static holder its Class; null: not there. */
    Object find(String path);

    /** The step to the only element of the list or map at a path: an Integer or a String; null: there is not just one. */
    Object onlyStep(String path);

    /** For a value that a method returned: a scalar as JSON says it, or a map of dot-notation keys to scalars. */
    Object flatten(Object value, int maxLeaves);

    /** Part of the app or of what it uses, rather than of the JDK, a known library or this agent. */
    boolean isOfApp(Class<?> type);
}
