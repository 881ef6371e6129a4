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

    Signature(String method, String descriptor, boolean isStatic, List<Parameter> parameters, String returns,
            String java) {
        this.method = method;
        this.descriptor = descriptor;
        this.isStatic = isStatic;
        this.parameters = parameters;
        this.returns = returns;
        this.java = java;
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
        return startsWith("get") || startsWith("is") || startsWith("has");
    }

    boolean isSetterByName() {
        return startsWith("set") && parameters.size() == 1;
    }

    private boolean startsWith(String word) {
        if (!method.startsWith(word)) return false;
        return method.length() == word.length() || Character.isUpperCase(method.charAt(word.length()));
    }
}
