package substrate.agent.act;

public final class Parameter {
    public final String name;
    /** string, number, boolean, object, array; null: any JSON value is taken. */
    public final String type;
    public final boolean required;
    /** For people: `one of NEW, PAID`, `a date such as 2024-05-31`, …; null: none. */
    public final String description;

    public Parameter(String name, String type, boolean required, String description) {
        this.name = name;
        this.type = type;
        this.required = required;
        this.description = description;
    }
}
