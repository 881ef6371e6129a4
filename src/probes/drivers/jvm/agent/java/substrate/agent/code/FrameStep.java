package substrate.agent.code;

import static substrate.agent.code.ConstantPool.u2;

import substrate.agent.code.Flow.Frame;

/** What one instruction does to the frame, and to the app. */
final class FrameStep {
    private static final long[] NO_ARGUMENTS = new long[0];
    private final ClassFile file;
    private final byte[] bytes;
    /** See Flow. */
    private final int[] numbers;

    FrameStep(ClassFile file, int[] numbers) {
        this.file = file;
        this.numbers = numbers;
        bytes = file.bytes;
    }

    /** `facts`: where to note what the app would see of it; null: nowhere yet. */
    void run(Frame frame, int at, int start, CodeFacts facts) {
        int operation = bytes[at] & 0xff;
        int taken = Instructions.taken(operation);
        if (taken >= 0) {
            // The lock of another object may be held by anyone for any time.
            long origin = frame.pop(taken);
            if (operation == 194 && facts != null) facts.write("lock", origin, 0, null);
            frame.push(ValueOrigin.OTHER, Instructions.put(operation));
        } else if (operation <= 20) {
            constant(frame, operation, at, facts);
        } else if (operation <= 45) {
            load(frame, operation, bytes[at + 1] & 0xff);
        } else if (operation >= 54 && operation <= 78) {
            store(frame, operation, bytes[at + 1] & 0xff);
        } else if (operation >= 79 && operation <= 86) {
            frame.pop(operation == 80 || operation == 82 ? 3 : 2);
            long array = frame.pop();
            if (facts != null) facts.write("element", array, 0, null);
        } else if (operation >= 89 && operation <= 95) {
            duplicate(frame, operation);
        } else if (operation >= 133 && operation <= 147) {
            convert(frame, operation);
        } else if (operation >= 178 && operation <= 181) {
            field(frame, operation, u2(bytes, at + 1), facts);
        } else if (operation >= 182 && operation <= 185) {
            invoke(frame, operation, u2(bytes, at + 1), numbers[at - start], facts);
        } else if (operation == 186) {
            dynamic(frame, u2(bytes, at + 1), facts);
        } else {
            if (operation == 192 && facts != null) facts.handle("L" + file.pool.nameAt(u2(bytes, at + 1)) + ";");
            rest(frame, operation, at);
        }
    }

    private void constant(Frame frame, int operation, int at, CodeFacts facts) {
        boolean isTwoWords = operation == 9 || operation == 10 || operation == 14 || operation == 15 || operation == 20;
        if (operation >= 18) {
            int index = operation == 18 ? bytes[at + 1] & 0xff : u2(bytes, at + 1);
            // A dynamic constant is computed by whatever code it names.
            if (file.pool.tag(index) == 17 && facts != null) facts.isOpaque = true;
        }
        frame.push(ValueOrigin.CONSTANT, isTwoWords ? 2 : 1);
    }

    private static void load(Frame frame, int operation, int operand) {
        boolean isShort = operation >= 26;
        int type = isShort ? (operation - 26) / 4 : operation - 21;
        int slot = isShort ? (operation - 26) % 4 : operand;
        frame.push(frame.locals[slot], type == 1 || type == 3 ? 2 : 1);
    }

    private static void store(Frame frame, int operation, int operand) {
        boolean isShort = operation >= 59;
        int type = isShort ? (operation - 59) / 4 : operation - 54;
        int slot = isShort ? (operation - 59) % 4 : operand;
        int words = type == 1 || type == 3 ? 2 : 1;
        long kind = frame.pop(words);
        for (int word = 0; word < words; word++) frame.locals[slot + word] = kind;
    }

    private static void duplicate(Frame frame, int operation) {
        if (operation == 95) {
            long upper = frame.pop();
            long lower = frame.pop();
            frame.push(upper);
            frame.push(lower);
        } else if (operation <= 91) {
            frame.duplicate(1, operation - 89);
        } else {
            frame.duplicate(2, operation - 92);
        }
    }

    /** From int, long, float, double, and from int to its parts: the value stays what the caller gave. */
    private static void convert(Frame frame, int operation) {
        int group = (operation - 133) / 3;
        boolean fromTwo = operation < 145 && (group == 1 || group == 3);
        boolean toTwo = operation == 133 || operation == 135 || operation == 138 || operation == 140 || operation == 141
            || operation == 143;
        long kind = frame.pop(fromTwo ? 2 : 1);
        frame.push(kind, toTwo ? 2 : 1);
    }

    private void field(Frame frame, int operation, int index, CodeFacts facts) {
        String[] member = file.pool.member(index);
        int words = Descriptor.wordsOf(member[2].charAt(0));
        boolean isStatic = operation <= 179;
        boolean isRead = operation == 178 || operation == 180;
        if (facts != null) {
            if (isStatic && !(isRead && isSwitchTable(member[1]))) facts.staticsOf.add(member[0]);
            facts.handle(member[2]);
        }
        if (isRead) {
            long holder = isStatic ? ValueOrigin.OTHER : frame.pop();
            if (facts != null && (holder & ValueOrigin.THIS) != 0) facts.reads.add(member[1]);
            frame.push(ValueOrigin.readFrom(holder), words);
            return;
        }
        long value = frame.pop(words);
        long holder = isStatic ? ValueOrigin.OTHER : frame.pop();
        if (facts != null) facts.write("field", holder, value, member[1]);
    }

    /** What compilers make for a switch over an enum: a class of its own, whose initialiser only counts constants. */
    private static boolean isSwitchTable(String field) {
        return field.startsWith("$SwitchMap$");
    }

    private void invoke(Frame frame, int operation, int index, int number, CodeFacts facts) {
        String[] member = file.pool.member(index);
        long[] arguments = popArguments(frame, member[2]);
        boolean isStatic = operation == 184;
        long receiver = isStatic ? ValueOrigin.OTHER : frame.pop();
        if (facts != null) {
            facts.calls.add(new Call(member, isStatic, operation == 183, receiver, arguments, number));
            facts.handle(member[2].substring(member[2].indexOf(')') + 1));
            if (member[1].equals("<init>")) facts.handle("L" + member[0] + ";");
        }
        frame.push(ValueOrigin.ofCall(number), Descriptor.wordsOf(Descriptor.returnKind(member[2])));
    }

    private static long[] popArguments(Frame frame, String descriptor) {
        int[] slots = Descriptor.slots(descriptor);
        int words = Descriptor.argumentWords(descriptor);
        long[] arguments = slots.length == 0 ? NO_ARGUMENTS : new long[slots.length];
        for (int at = slots.length - 1; at >= 0; at--) {
            arguments[at] = frame.pop(words - slots[at]);
            words = slots[at];
        }
        return arguments;
    }

    /** Texts put together, lambdas, methods of records, switches over types; anything else may do anything. */
    private void dynamic(Frame frame, int index, CodeFacts facts) {
        String descriptor = file.pool.dynamic(index)[1];
        int bootstrap = file.pool.bootstrapOf(index);
        String factory = file.bootstrapMethod(bootstrap)[0];
        long[] captured = popArguments(frame, descriptor);
        boolean isLambda = factory.equals("java/lang/invoke/LambdaMetafactory");
        frame.push(isLambda ? ValueOrigin.FUNCTION : ValueOrigin.OTHER, Descriptor.wordsOf(Descriptor.returnKind(descriptor)));
        if (facts == null) return;
        boolean isPlain = factory.equals("java/lang/invoke/StringConcatFactory")
            || factory.equals("java/lang/runtime/ObjectMethods")
            || factory.equals("java/lang/runtime/SwitchBootstraps");
        for (String type : Descriptor.parameters(descriptor)) facts.handle(type);
        if (isLambda) facts.calls.add(body(bootstrap, captured));
        else if (factory.equals("java/lang/invoke/StringConcatFactory")) facts.calls.add(Call.TO_TEXT);
        else if (!isPlain) facts.isOpaque = true;
    }

    /** What the lambda will do counts as done here: it is only handed to what calls it at once. */
    private Call body(int bootstrap, long[] captured) {
        int handle = file.bootstrapArgument(bootstrap, 1);
        int kind = file.pool.handleKind(handle);
        String[] member = file.pool.member(file.pool.handle(handle));
        boolean isStatic = kind == 6;
        boolean isConstructor = kind == 8;
        long receiver = isConstructor ? ValueOrigin.FRESH : captured.length > 0 && !isStatic ? captured[0] : ValueOrigin.OTHER;
        long[] arguments = new long[Descriptor.slots(member[2]).length];
        java.util.Arrays.fill(arguments, ValueOrigin.OTHER);
        return new Call(member, isStatic, kind == 7 || isConstructor, receiver, arguments, -1);
    }

    private void rest(Frame frame, int operation, int at) {
        switch (operation) {
            case 187:
                frame.push(ValueOrigin.FRESH);
                return;
            case 188: case 189:
                frame.pop();
                frame.push(ValueOrigin.FRESH);
                return;
            case 132:
                frame.locals[bytes[at + 1] & 0xff] = ValueOrigin.OTHER;
                return;
            case 192:
                return;
            case 197:
                frame.pop(bytes[at + 3] & 0xff);
                frame.push(ValueOrigin.FRESH);
                return;
            case 196: {
                int wide = bytes[at + 1] & 0xff;
                if (wide >= 21 && wide <= 25) load(frame, wide, u2(bytes, at + 2));
                else if (wide >= 54 && wide <= 58) store(frame, wide, u2(bytes, at + 2));
                else frame.locals[u2(bytes, at + 2)] = ValueOrigin.OTHER;
                return;
            }
            default:
                throw new IllegalArgumentException("operation " + operation);
        }
    }
}
