package substrate.agent.act;

import java.util.List;
import java.util.Set;

/** One method that can be called, in words: holds no class, so that it may be kept. */
final class Signature {
    final String method;
    final String descriptor;
    final boolean isStatic;
    final List<Parameter> parameters;
    /** As ActionInfo says it. */
    final String returns;
    /** `addItem(String sku, int quantity) -> void`. */
    final String java;
    /** Names of classes of which the state must show an object. */
    private final Set<String> needs;
    /** Worth showing only where there is little else. */
    final boolean isMinor;

    Signature(String method, String descriptor, boolean isStatic, List<Parameter> parameters, String returns,
            String java, Set<String> needs, boolean isMinor) {
        this.method = method;
        this.descriptor = descriptor;
        this.isStatic = isStatic;
        this.parameters = parameters;
        this.returns = returns;
        this.java = java;
        this.needs = needs;
        this.isMinor = isMinor;
    }

    /** `shown`: the names of the classes and interfaces of all objects that can be named. */
    boolean canBeGiven(Set<String> shown) {
        return shown.containsAll(needs);
    }

    /** Whether these and no others could be its arguments. */
    boolean takes(Set<String> given, ShapePath shape) {
        int known = 0;
        for (Parameter parameter : parameters) {
            boolean isGiven = given.contains(shape.nameFor(parameter.name));
            if (isGiven) known++;
            else if (parameter.required) return false;
        }
        return known == given.size();
    }

    boolean isReadByName() {
        return beginsWith(method, "get") || beginsWith(method, "is") || beginsWith(method, "has");
    }

    boolean isSetterByName() {
        return beginsWith(method, "set") && parameters.size() == 1;
    }

    /** `setName` begins with the word `set`, `settle` does not. */
    static boolean beginsWith(String name, String word) {
        if (!name.startsWith(word)) return false;
        return name.length() == word.length() || Character.isUpperCase(name.charAt(word.length()));
    }
}
