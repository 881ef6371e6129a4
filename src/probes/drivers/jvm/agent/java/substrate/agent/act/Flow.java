package substrate.agent.act;

import java.util.ArrayDeque;
import java.util.Arrays;

/** Follows the values through the instructions of one method, until nothing more is learned. */
final class Flow {
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
        step = new FrameStep(method.file);
    }

    static MethodFacts of(MethodCode method) {
        if (method.codeLength == 0 || method.codeLength > MAX_CODE) return MethodFacts.OPAQUE;
        try {
            return new Flow(method).facts();
        } catch (RuntimeException malformed) {
            return MethodFacts.OPAQUE;
        }
    }

    private MethodFacts facts() {
        reach(start, entry());
        for (int handler : method.handlers) reach(start + handler, handlerEntry());
        for (int steps = 0; !open.isEmpty(); steps++) {
            if (steps > MAX_STEPS) return MethodFacts.OPAQUE;
            int at = open.poll();
            Frame frame = known[at - start].copy();
            step.run(frame, at, null);
            follow(at, frame);
        }
        MethodFacts facts = new MethodFacts();
        for (String type : Descriptor.parameters(method.descriptor)) FrameStep.handle(facts, type);
        for (int at = start; at < end; at++) {
            if (known[at - start] != null) step.run(known[at - start].copy(), at, facts);
        }
        return facts;
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

    /** The kinds of the variables and of what is on the stack. */
    static final class Frame {
        final byte[] locals;
        private final byte[] stack;
        private int size;

        Frame(int locals, int stack) {
            this.locals = new byte[locals];
            this.stack = new byte[stack];
        }

        void push(byte kind) {
            stack[size++] = kind;
        }

        void push(byte kind, int words) {
            for (int word = 0; word < words; word++) push(kind);
        }

        byte pop() {
            return stack[--size];
        }

        /** The kind of the lowest word that was taken; OTHER for none. */
        byte pop(int words) {
            byte kind = ValueOrigin.OTHER;
            for (int word = 0; word < words; word++) kind = pop();
            return kind;
        }

        /** Copies the upper words below as many others: the family of `dup`. */
        void duplicate(int words, int below) {
            byte[] upper = Arrays.copyOfRange(stack, size - words, size);
            byte[] lower = Arrays.copyOfRange(stack, size - words - below, size - words);
            size -= words + below;
            for (byte[] part : new byte[][] {upper, lower, upper}) for (byte kind : part) push(kind);
        }

        Frame copy() {
            Frame copy = new Frame(locals.length, stack.length);
            System.arraycopy(locals, 0, copy.locals, 0, locals.length);
            System.arraycopy(stack, 0, copy.stack, 0, size);
            copy.size = size;
            return copy;
        }

        /** True: something was known better than both ways say. */
        boolean merge(Frame other) {
            if (size != other.size) throw new IllegalArgumentException("stacks differ");
            boolean changed = merge(locals, other.locals, locals.length);
            return merge(stack, other.stack, size) || changed;
        }

        private static boolean merge(byte[] kinds, byte[] others, int count) {
            boolean changed = false;
            for (int at = 0; at < count; at++) {
                byte merged = ValueOrigin.merge(kinds[at], others[at]);
                changed |= merged != kinds[at];
                kinds[at] = merged;
            }
            return changed;
        }
    }
}
