package substrate.agent.state;

import java.util.List;

/** The result of the last walk, for callers of methods. */
public interface Shown {
    /** Incremented when holders were added or removed. */
    int holdersVersion();

    /** Breadth first. */
    List<Holder> holders();

    /**
     * The app's object at a path such as `users["odd key"].cart[2]`, for a static holder its Class; null if there is
     * none.
     */
    Object find(String path);

    /**
     * The step to the only element of the list or map at a path: an Integer or a String; null if there is not exactly
     * one.
     */
    Object onlyStep(String path);

    /** Flattens the return value of a method: a scalar as JSON, or a map of dot-notation keys to scalars. */
    Object flatten(Object value, int maxLeaves);

    /** True for the app and its dependencies: not the JDK, a known library or this agent. */
    boolean isOfApp(Class<?> type);
}
