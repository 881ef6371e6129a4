package substrate.agent.code;

import java.util.Arrays;

/** Descriptors of methods: `(ILjava/lang/String;)V`. */
public final class Descriptor {
    private Descriptor() {}

    /** The slot of each parameter, counted from the first; long and double take two. */
    public static int[] slots(String descriptor) {
        int[] slots = new int[16];
        int count = 0;
        int slot = 0;
        for (int at = 1; descriptor.charAt(at) != ')'; count++) {
            if (count == slots.length) slots = Arrays.copyOf(slots, count * 2);
            slots[count] = slot;
            char kind = descriptor.charAt(at);
            slot += kind == 'J' || kind == 'D' ? 2 : 1;
            at = behindType(descriptor, at);
        }
        return Arrays.copyOf(slots, count);
    }

    /** The type of each parameter, as the descriptor writes it. */
    static String[] parameters(String descriptor) {
        String[] types = new String[slots(descriptor).length];
        for (int index = 0, at = 1; index < types.length; index++) {
            int end = behindType(descriptor, at);
            types[index] = descriptor.substring(at, end);
            at = end;
        }
        return types;
    }

    /** The number of slots of all parameters. */
    static int argumentWords(String descriptor) {
        int words = 0;
        for (int at = 1; descriptor.charAt(at) != ')'; at = behindType(descriptor, at)) {
            words += descriptor.charAt(at) == 'J' || descriptor.charAt(at) == 'D' ? 2 : 1;
        }
        return words;
    }

    private static int behindType(String descriptor, int at) {
        while (descriptor.charAt(at) == '[') at++;
        if (descriptor.charAt(at) != 'L') return at + 1;
        int end = descriptor.indexOf(';', at);
        if (end < 0) throw new IllegalArgumentException(descriptor);
        return end + 1;
    }

    public static String of(Class<?>[] parameters, Class<?> result) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : parameters) append(text, parameter);
        append(text.append(')'), result);
        return text.toString();
    }

    private static void append(StringBuilder text, Class<?> type) {
        while (type.isArray()) {
            text.append('[');
            type = type.getComponentType();
        }
        if (!type.isPrimitive()) text.append('L').append(type.getName().replace('.', '/')).append(';');
        else if (type == boolean.class) text.append('Z');
        else if (type == long.class) text.append('J');
        else text.append(Character.toUpperCase(type.getName().charAt(0)));
    }
}
