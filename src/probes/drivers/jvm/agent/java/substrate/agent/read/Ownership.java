package substrate.agent.read;

/** The owner of a class's code. */
public interface Ownership {
    int JDK = 0;
    int AGENT = 1;
    /** A known library: its objects are not shown. */
    int LIBRARY = 2;
    int APP = 3;
    /** A lambda or another class that the VM made at run time: never state, but it may hold some. */
    int LAMBDA = 4;
    /** Made by a framework around a class or an interface of the app. */
    int PROXY = 5;

    int of(Class<?> type);
}
