package substrate.agent.code;

import java.util.ArrayDeque;
import java.util.Arrays;

/** Follows the values through the instructions of one method, until nothing more is learned. */
public final class Flow {
    private static final int MAX_CODE = 6000;
    private static final int MAX_STEPS = 60000;

    private final MethodCode method;
    private final byte[] bytes;
    private final int start;
    private final int end;
    /** What is known before each instruction; null: not reached. */
    private final Frame[] known;
    private final ArrayDeque<Integer> open = new ArrayDeque<Integer>();
    private final FrameStep step;

    private Flow(MethodCode method) {
        this.method = method;
        bytes = method.file.bytes;
        start = method.codeAt;
        end = start + method.codeLength;
        known = new Frame[method.codeLength];
        step = new FrameStep(method.file, numbers());
    }

    public static CodeFacts of(MethodCode method) {
        if (method.codeLength == 0 || method.codeLength > MAX_CODE) return CodeFacts.OPAQUE;
        try {
            return new Flow(method).facts();
        } catch (RuntimeException malformed) {
            return CodeFacts.OPAQUE;
        }
    }

    private CodeFacts facts() {
        reach(start, entry());
        for (int handler : method.handlers) reach(start + handler, handlerEntry());
        for (int steps = 0; !open.isEmpty(); steps++) {
            if (steps > MAX_STEPS) return CodeFacts.OPAQUE;
            int at = open.poll();
            Frame frame = known[at - start].copy();
            step.run(frame, at, start, null);
            follow(at, frame);
        }
        CodeFacts facts = new CodeFacts();
        for (String type : Descriptor.parameters(method.descriptor)) facts.handle(type);
        for (int at = start; at < end; at++) {
            if (known[at - start] != null) step.run(known[at - start].copy(), at, start, facts);
        }
        return facts;
    }

    /** Of the calls of the platform, by where they are; -1: there is none. */
    private int[] numbers() {
        int[] numbers = new int[method.codeLength];
        Arrays.fill(numbers, -1);
        int next = 0;
        for (int at = start; at < end; at += Instructions.length(bytes, start, at)) {
            int operation = bytes[at] & 0xff;
            boolean isCall = operation >= 182 && operation <= 185;
            if (isCall && Call.isOfPlatform(method.file.pool.member(ConstantPool.u2(bytes, at + 1))[0])) {
                numbers[at - start] = next++;
            }
        }
        return numbers;
    }

    private Frame entry() {
        Frame frame = new Frame(method.maxLocals, method.maxStack);
        int own = method.isStatic() ? 0 : 1;
        if (own == 1) frame.locals[0] = ValueOrigin.THIS;
        Arrays.fill(frame.locals, own, own + Descriptor.argumentWords(method.descriptor), ValueOrigin.ARGUMENT);
        return frame;
    }

    /** An exception may come from anywhere: only `this` is sure, where its variable is never used for another. */
    private Frame handlerEntry() {
        Frame frame = new Frame(method.maxLocals, method.maxStack);
        Arrays.fill(frame.locals, ValueOrigin.OTHER);
        if (!method.isStatic() && !storesToFirst()) frame.locals[0] = ValueOrigin.THIS;
        frame.push(ValueOrigin.OTHER);
        return frame;
    }

    private boolean storesToFirst() {
        for (int at = start; at < end; at += Instructions.length(bytes, start, at)) {
            int operation = bytes[at] & 0xff;
            boolean isShort = operation >= 59 && operation <= 78 && (operation - 59) % 4 == 0;
            boolean isLong = operation >= 54 && operation <= 58 && bytes[at + 1] == 0;
            if (isShort || isLong || operation == 196) return true;
        }
        return false;
    }

    private void follow(int at, Frame after) {
        int operation = bytes[at] & 0xff;
        if (operation >= 172 && operation <= 177 || operation == 191) return;
        if (operation == 168 || operation == 169 || operation == 201) throw new IllegalArgumentException("subroutine");
        if (operation == 170 || operation == 171) {
            for (int target : Instructions.targets(bytes, start, at)) reach(at + target, after);
            return;
        }
        boolean isBranch = operation >= 153 && operation <= 167 || operation == 198 || operation == 199;
        if (isBranch) reach(at + Instructions.s2(bytes, at + 1), after);
        if (operation == 200) reach(at + Instructions.s4(bytes, at + 1), after);
        if (operation != 167 && operation != 200) reach(at + Instructions.length(bytes, start, at), after);
    }

    private void reach(int at, Frame frame) {
        if (at < start || at >= end) throw new IllegalArgumentException("beyond the code");
        Frame before = known[at - start];
        if (before == null) known[at - start] = frame.copy();
        else if (!before.merge(frame)) return;
        open.add(at);
    }

    /** The origins of the variables and of what is on the stack. */
    static final class Frame {
        final long[] locals;
        private final long[] stack;
        private int size;

        Frame(int locals, int stack) {
            this.locals = new long[locals];
            this.stack = new long[stack];
        }

        void push(long origin) {
            stack[size++] = origin;
        }

        void push(long origin, int words) {
            for (int word = 0; word < words; word++) push(origin);
        }

        long pop() {
            return stack[--size];
        }

        /** The origin of the lowest word that was taken; OTHER for none. */
        long pop(int words) {
            long origin = ValueOrigin.OTHER;
            for (int word = 0; word < words; word++) origin = pop();
            return origin;
        }

        /** Copies the upper words below as many others: the family of `dup`. */
        void duplicate(int words, int below) {
            long[] upper = Arrays.copyOfRange(stack, size - words, size);
            long[] lower = Arrays.copyOfRange(stack, size - words - below, size - words);
            size -= words + below;
            for (long[] part : new long[][] {upper, lower, upper}) for (long origin : part) push(origin);
        }

        Frame copy() {
            Frame copy = new Frame(locals.length, stack.length);
            System.arraycopy(locals, 0, copy.locals, 0, locals.length);
            System.arraycopy(stack, 0, copy.stack, 0, size);
            copy.size = size;
            return copy;
        }

        /** True: a value may come from more places than was known. */
        boolean merge(Frame other) {
            if (size != other.size) throw new IllegalArgumentException("stacks differ");
            boolean changed = merge(locals, other.locals, locals.length);
            return merge(stack, other.stack, size) || changed;
        }

        private static boolean merge(long[] origins, long[] others, int count) {
            boolean changed = false;
            for (int at = 0; at < count; at++) {
                long merged = origins[at] | others[at];
                changed |= merged != origins[at];
                origins[at] = merged;
            }
            return changed;
        }
    }
}
