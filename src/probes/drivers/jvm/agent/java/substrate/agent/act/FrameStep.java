package substrate.agent.act;

import static substrate.agent.act.ConstantPool.u2;

import substrate.agent.act.Flow.Frame;

/** What one instruction does to the frame, and to the app. */
final class FrameStep {
    private static final byte[] NO_ARGUMENTS = new byte[0];
    private final ClassFile file;
    private final byte[] bytes;

    FrameStep(ClassFile file) {
        this.file = file;
        bytes = file.bytes;
    }

    /** `facts`: where to note what the app would see of it; null: nowhere yet. */
    void run(Frame frame, int at, MethodFacts facts) {
        int operation = bytes[at] & 0xff;
        int taken = Instructions.taken(operation);
        if (taken >= 0) {
            // The lock of another object may be held by anyone for any time.
            byte kind = frame.pop(taken);
            if (operation == 194 && facts != null) facts.raise(ofLocking(kind));
            frame.push(ValueOrigin.OTHER, Instructions.put(operation));
        } else if (operation <= 20) {
            constant(frame, operation, at, facts);
        } else if (operation <= 45) {
            load(frame, operation, bytes[at + 1] & 0xff);
        } else if (operation >= 54 && operation <= 78) {
            store(frame, operation, bytes[at + 1] & 0xff);
        } else if (operation >= 79 && operation <= 86) {
            frame.pop(operation == 80 || operation == 82 ? 3 : 2);
            byte array = frame.pop();
            if (facts != null) facts.raise(array == ValueOrigin.FRESH ? Effects.NONE : ofHolding(array));
        } else if (operation >= 89 && operation <= 95) {
            duplicate(frame, operation);
        } else if (operation >= 133 && operation <= 147) {
            convert(frame, operation);
        } else if (operation >= 178 && operation <= 181) {
            field(frame, operation, u2(bytes, at + 1), facts);
        } else if (operation >= 182 && operation <= 185) {
            invoke(frame, operation, u2(bytes, at + 1), facts);
        } else if (operation == 186) {
            dynamic(frame, u2(bytes, at + 1), facts);
        } else {
            if (operation == 192 && facts != null) handle(facts, "L" + file.pool.nameAt(u2(bytes, at + 1)) + ";");
            rest(frame, operation, at);
        }
    }

    private void constant(Frame frame, int operation, int at, MethodFacts facts) {
        boolean isTwoWords = operation == 9 || operation == 10 || operation == 14 || operation == 15 || operation == 20;
        if (operation >= 18) {
            int index = operation == 18 ? bytes[at + 1] & 0xff : u2(bytes, at + 1);
            // A dynamic constant is computed by whatever code it names.
            if (file.pool.tag(index) == 17 && facts != null) facts.raise(Effects.UNKNOWN);
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
        byte kind = frame.pop(words);
        for (int word = 0; word < words; word++) frame.locals[slot + word] = kind;
    }

    private static void duplicate(Frame frame, int operation) {
        if (operation == 95) {
            byte upper = frame.pop();
            byte lower = frame.pop();
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
        byte kind = frame.pop(fromTwo ? 2 : 1);
        frame.push(kind, toTwo ? 2 : 1);
    }

    private void field(Frame frame, int operation, int index, MethodFacts facts) {
        String[] member = file.pool.member(index);
        int words = Descriptor.wordsOf(member[2].charAt(0));
        boolean isStatic = operation <= 179;
        boolean isRead = operation == 178 || operation == 180;
        if (facts != null) {
            if (isStatic && !(isRead && isSwitchTable(member[1]))) facts.staticsOf.add(member[0]);
            handle(facts, member[2]);
        }
        if (isRead) {
            byte holder = isStatic ? ValueOrigin.OTHER : frame.pop();
            if (facts != null && holder == ValueOrigin.THIS) facts.fieldsRead.add(member[1]);
            frame.push(holder == ValueOrigin.THIS ? ValueOrigin.HELD : ValueOrigin.OTHER, words);
            return;
        }
        byte value = frame.pop(words);
        byte holder = isStatic ? ValueOrigin.OTHER : frame.pop();
        if (facts == null || holder == ValueOrigin.FRESH) return;
        facts.raise(holder == ValueOrigin.THIS ? Effects.FIELDS : Effects.UNKNOWN);
        if (holder == ValueOrigin.THIS && value == ValueOrigin.ARGUMENT) facts.writeFromArgument(member[1]);
        else facts.writesElse = true;
    }

    /** What compilers make for a switch over an enum: a class of its own, whose initialiser only counts constants. */
    private static boolean isSwitchTable(String field) {
        return field.startsWith("$SwitchMap$");
    }

    /** The class that a type names, if it names one. */
    static void handle(MethodFacts facts, String type) {
        if (type.startsWith("L") && !PureJdk.knows(type.substring(1))) {
            facts.handled.add(type.substring(1, type.length() - 1));
        }
    }

    private void invoke(Frame frame, int operation, int index, MethodFacts facts) {
        String[] member = file.pool.member(index);
        byte[] arguments = popArguments(frame, member[2]);
        boolean isStatic = operation == 184;
        byte receiver = isStatic ? ValueOrigin.OTHER : frame.pop();
        Call call = new Call(member, isStatic, operation == 183, receiver, arguments);
        if (facts != null) {
            facts.calls.add(call);
            handle(facts, member[2].substring(member[2].indexOf(')') + 1));
            if (call.name.equals("<init>")) handle(facts, "L" + call.owner + ";");
        }
        frame.push(PureJdk.result(call), Descriptor.wordsOf(Descriptor.returnKind(member[2])));
    }

    private static byte[] popArguments(Frame frame, String descriptor) {
        int[] slots = Descriptor.slots(descriptor);
        int words = Descriptor.argumentWords(descriptor);
        byte[] arguments = slots.length == 0 ? NO_ARGUMENTS : new byte[slots.length];
        for (int at = slots.length - 1; at >= 0; at--) {
            arguments[at] = frame.pop(words - slots[at]);
            words = slots[at];
        }
        return arguments;
    }

    /** Texts put together, lambdas, methods of records, switches over types; anything else may do anything. */
    private void dynamic(Frame frame, int index, MethodFacts facts) {
        String descriptor = file.pool.dynamic(index)[1];
        int bootstrap = file.pool.bootstrapOf(index);
        String factory = file.bootstrapMethod(bootstrap)[0];
        byte[] captured = popArguments(frame, descriptor);
        boolean isLambda = factory.equals("java/lang/invoke/LambdaMetafactory");
        frame.push(isLambda ? ValueOrigin.FUNCTION : ValueOrigin.OTHER, Descriptor.wordsOf(Descriptor.returnKind(descriptor)));
        if (facts == null) return;
        boolean isPlain = factory.equals("java/lang/invoke/StringConcatFactory")
            || factory.equals("java/lang/runtime/ObjectMethods")
            || factory.equals("java/lang/runtime/SwitchBootstraps");
        for (String type : Descriptor.parameters(descriptor)) handle(facts, type);
        if (isLambda) facts.calls.add(body(bootstrap, captured));
        else if (factory.equals("java/lang/invoke/StringConcatFactory")) facts.calls.add(Call.TO_TEXT);
        else if (!isPlain) facts.raise(Effects.UNKNOWN);
    }

    /** What the lambda will do counts as done here: it is only handed to what calls it at once. */
    private Call body(int bootstrap, byte[] captured) {
        int handle = file.bootstrapArgument(bootstrap, 1);
        int kind = file.pool.handleKind(handle);
        String[] member = file.pool.member(file.pool.handle(handle));
        boolean isStatic = kind == 6;
        boolean isConstructor = kind == 8;
        byte receiver = isConstructor ? ValueOrigin.FRESH : captured.length > 0 && !isStatic ? captured[0] : ValueOrigin.OTHER;
        byte[] arguments = new byte[Descriptor.slots(member[2]).length];
        return new Call(member, isStatic, kind == 7 || isConstructor, receiver, arguments);
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

    private static int ofLocking(byte kind) {
        return kind == ValueOrigin.FRESH ? Effects.NONE : kind == ValueOrigin.THIS ? Effects.OWN : ofHolding(kind);
    }

    /** To change what a field of `this` holds. */
    private static int ofHolding(byte kind) {
        return kind == ValueOrigin.HELD ? Effects.OWN : Effects.UNKNOWN;
    }
}
