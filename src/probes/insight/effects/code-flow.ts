/** Follows the values through the instructions of one piece of code until nothing changes any more. */
import type { CodeBody, Instructions, MemberFacts, WriteKind } from './code-facts.ts';
import { type Instruction, UnfollowableError } from './instruction-set.ts';
import { BITS, MAX_CALLS, unite } from './value-origin.ts';

/** The limit for steps times the variables that each step copies. Longer code is not followed. */
const MAX_WORK = 1_000_000;

/** The origins of the values in the variables and on the stack. */
export class Frame {
  private readonly variables: number[];
  private readonly stack: number[];
  private readonly maxStack: number;

  constructor(variables: number[], maxStack: number, stack: number[] = []) {
    this.variables = variables;
    this.maxStack = maxStack;
    this.stack = stack;
  }

  /** The number of values on the stack. */
  get depth(): number {
    return this.stack.length;
  }

  load(slot: number): number {
    const value = this.variables[slot];
    if (value === undefined) throw new UnfollowableError('no such variable');
    return value;
  }

  store(slot: number, value: number): void {
    if (slot >= this.variables.length) throw new UnfollowableError('no such variable');
    this.variables[slot] = value;
  }

  push(value: number, times = 1): void {
    if (this.stack.length + times > this.maxStack) throw new UnfollowableError('the stack is full');
    for (let pushed = 0; pushed < times; pushed++) this.stack.push(value);
  }

  /** Returns the lowest of the values it removes; 0 for none. */
  pop(times = 1): number {
    let value = 0;
    for (let popped = 0; popped < times; popped++) {
      const top = this.stack.pop();
      if (top === undefined) throw new UnfollowableError('the stack is empty');
      value = top;
    }
    return value;
  }

  /** Copies the upper values below the next ones. */
  duplicate(upper: number, below: number): void {
    const at = this.stack.length - upper - below;
    if (at < 0) throw new UnfollowableError('the stack is empty');
    const copied = this.stack.slice(at + below);
    if (this.stack.length + upper > this.maxStack) throw new UnfollowableError('the stack is full');
    this.stack.splice(at, 0, ...copied);
  }

  swap(): void {
    const upper = this.pop();
    const lower = this.pop();
    this.stack.push(upper, lower);
  }

  clear(): void {
    this.stack.length = 0;
  }

  copy(): Frame {
    return new Frame([...this.variables], this.maxStack, [...this.stack]);
  }

  /** The frame at a handler, or at the target of a leave. */
  withStack(...stack: number[]): Frame {
    return new Frame([...this.variables], this.maxStack, stack);
  }

  /** Returns true if a value may come from more places than before. */
  merge(other: Frame): boolean {
    if (this.stack.length !== other.stack.length) throw new UnfollowableError('stacks differ');
    const changesVariables = mergeInto(this.variables, other.variables);
    return mergeInto(this.stack, other.stack) || changesVariables;
  }
}

function mergeInto(values: number[], others: readonly number[]): boolean {
  let isChanged = false;
  for (const [at, other] of others.entries()) {
    const before = values[at] ?? 0;
    if (before === other) continue;
    const merged = unite(before, other);
    isChanged ||= merged !== before;
    values[at] = merged;
  }
  return isChanged;
}

/** The facts that are collected about a piece of code. */
export class FlowFacts {
  isOpaque = false;
  private readonly writes = new Map<string, CodeBody['writes'][number]>();
  readonly reads = new Set<string>();
  readonly calls: CodeBody['calls'][number][] = [];
  private readonly handled: Set<number>;
  readonly initialisers = new Set<number>();
  readonly notes: Set<CodeBody['notes'][number]>;

  constructor({ handled, notes }: Instructions) {
    this.handled = new Set(handled);
    this.notes = new Set(notes);
  }

  write(kind: WriteKind, holder: number, value = 0, field: string | null = null): void {
    this.writes.set(JSON.stringify([kind, holder, value, field]), [kind, holder, value, field]);
  }

  handle({ handled, traits }: MemberFacts): void {
    for (const type of handled) this.handled.add(type);
    if (traits.includes('disposable')) this.notes.add('disposable');
  }

  /** `result`: the number of a call whose name is known. */
  call(member: MemberFacts, receiver: number, args: readonly number[], result: number | null = null): void {
    this.calls.push({
      member: member.id,
      receiver,
      arguments: args,
      result: result === null || result >= MAX_CALLS ? null : result,
    });
  }

  bodyOf(code: Instructions): CodeBody {
    return {
      id: code.id,
      isOpaque: this.isOpaque,
      writes: [...this.writes.values()],
      reads: [...this.reads],
      calls: this.calls,
      handled: [...this.handled],
      initialisers: [...this.initialisers],
      notes: [...this.notes],
    };
  }
}

/** Runs one piece of code on origins instead of values. */
export interface Machine {
  readonly entry: Frame;
  readonly instructions: ReadonlyMap<number, Instruction>;
  /** `facts`: the place to note facts; null while the flow is still being explored. */
  run(frame: Frame, instruction: Instruction, facts: FlowFacts | null): void;
}

export function follow(code: Instructions, { entry, instructions, run }: Machine): CodeBody {
  const joins = placesReached(code, instructions);
  /** The frame known at each instruction. */
  const known = new Map<number, Frame>();
  const open: number[] = [];
  const waiting = new Set<number>();
  const reach = (at: number, frame: Frame) => {
    const before = known.get(at);
    if (before === undefined) known.set(at, frame.copy());
    else if (!before.merge(frame)) return;
    if (waiting.has(at)) return;
    waiting.add(at);
    open.push(at);
  };
  let work = 0;
  /** Follows the code until it branches, or joins code that was reached elsewhere. */
  const walk = (begin: number, frame: Frame, facts: FlowFacts | null) => {
    for (let at = begin; ; ) {
      const instruction = instructions.get(at);
      if (instruction === undefined) throw new UnfollowableError('a jump to nowhere');
      const watching = code.handlers.filter(([from, to]) => from <= at && at < to);
      work += (code.variables + code.stack + 1) * (1 + watching.length);
      if (work > MAX_WORK) throw new UnfollowableError('it is too long');
      // An exception may come before or after any protected instruction.
      const reachHandlers = () => {
        for (const [, , handler, given] of watching)
          reach(handler, given ? frame.withStack(BITS.other) : frame.withStack());
      };
      if (facts === null) reachHandlers();
      run(frame, instruction, facts);
      if (facts === null) reachHandlers();
      at = instruction.end;
      if (goesOn(instruction) && !joins.has(at)) continue;
      if (facts === null) for (const place of instruction.next) reach(place, frame);
      return;
    }
  };
  reach(0, entry);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    waiting.delete(at);
    walk(at, (known.get(at) ?? entry).copy(), null);
  }
  const facts = new FlowFacts(code);
  for (const [at, frame] of [...known].sort(([one], [other]) => one - other)) walk(at, frame, facts);
  return facts.bodyOf(code);
}

/** The instructions that code can reach other than from the one before. */
function placesReached(
  { handlers }: Instructions,
  instructions: ReadonlyMap<number, Instruction>,
): ReadonlySet<number> {
  const places = new Set<number>([0, ...handlers.map(([, , handler]) => handler)]);
  for (const instruction of instructions.values())
    if (!goesOn(instruction)) for (const place of instruction.next) places.add(place);
  return places;
}

/** Whether the code always continues with the next instruction. */
function goesOn({ end, next }: Instruction): boolean {
  return next.length === 1 && next[0] === end;
}
