/** The effect of each Java instruction on values. Stack and variables are counted in words: long and double are two. */
import type { CodeBody, Instructions, MemberFacts } from '../../insight/effects/code-facts.ts';
import { type FlowFacts, Frame, follow } from '../../insight/effects/code-flow.ts';
import {
  type Instruction,
  type InstructionSet,
  instructionsOf,
  operationTable,
  UnfollowableError,
} from '../../insight/effects/instruction-set.ts';
import { words } from '../../insight/effects/platform.ts';
import { BITS, bitsOfResult, mapOrigins } from '../../insight/effects/value-origin.ts';

const operationOf = operationTable({
  'plain 0>0': '00',
  'plain 1>0': '57 c3',
  'plain 2>0': '58',
  'plain 1>1': '74 76 be c1:2',
  'plain 2>1': '2e 30 32-35 60 62 64 66 68 6a 6c 6e 70 72 78 7a 7c 7e 80 82 95-96',
  'plain 2>2': '2f 31 75 77',
  'plain 3>2': '79 7b 7d',
  'plain 4>1': '94 97-98',
  'plain 4>2': '61 63 65 67 69 6b 6d 6f 71 73 7f 81 83',
  'constant 0>1': '01-08 0b-0d 10:1 11:2 12:1 13:2',
  'constant 0>2': '09-0a 0e-0f 14:2',
  'load 0>1': '15:1 17:1 19:1 1a-1d 22-25 2a-2d',
  'load 0>2': '16:1 18:1 1e-21 26-29',
  'store 1>0': '36:1 38:1 3a:1 3b-3e 43-46 4b-4e',
  'store 2>0': '37:1 39:1 3f-42 47-4a',
  /** The value popped last is the array. */
  'element 3>0': '4f 51 53-56',
  'element 4>0': '50 52',
  dup: '59-5b',
  dup2: '5c-5e',
  swap: '5f',
  increment: '84:2',
  /** The value is still the one that the caller gave. */
  'convert 1>1': '86 8b 91-93',
  'convert 1>2': '85 87 8c 8d',
  'convert 2>1': '88 89 8e 90',
  'convert 2>2': '8a 8f',
  'branch 1>0': '99-9e:2 c6-c7:2',
  'branch 2>0': '9f-a6:2',
  jump: 'a7:2 c8:4',
  'switch 1>0': 'aa-ab',
  'end 0>0': 'b1',
  'end 1>0': 'ac ae b0 bf',
  'end 2>0': 'ad af',
  'read-static': 'b2:2',
  'write-static': 'b3:2',
  'read-field': 'b4:2',
  'write-field': 'b5:2',
  invoke: 'b6-b8:2 b9:4',
  dynamic: 'ba:4',
  'new 0>1': 'bb:2',
  'new 1>1': 'bc:1 bd:2',
  'new-arrays 0>1': 'c5:3',
  cast: 'c0:2',
  'lock 1>0': 'c2',
  wide: 'c4',
  /** Subroutines. */
  opaque: 'a8:2 a9:1 c9:4',
});
const REFERRING = words('read-static write-static read-field write-field invoke dynamic cast');
const TABLESWITCH = 0xaa;
const IINC = 0x84;
const FIRST_DUP = 0x59;
const FIRST_DUP2 = 0x5c;
/** The first of the loads and stores that name their variable in the opcode. */
const ILOAD_0 = 0x1a;
const ISTORE_0 = 0x3b;
const MADE: ReadonlyMap<string, number> = new Map([
  ['constant', BITS.constant],
  ['new', BITS.fresh],
  ['new-arrays', BITS.fresh],
]);
const LAMBDAS = 'java/lang/invoke/LambdaMetafactory';
const HARMLESS_FACTORIES = words('java/lang/runtime/ObjectMethods java/lang/runtime/SwitchBootstraps');

const SET: InstructionSet = {
  codeAt: (bytes, at) => bytes[at] ?? 0,
  lengthAt(bytes, at) {
    const { kind, operand } = operationOf(bytes[at] ?? 0);
    if (kind === 'switch') return switchAt(bytes, at).end - at;
    if (kind === 'wide') return bytes[at + 1] === IINC ? 6 : 4;
    return 1 + operand;
  },
  nextOf(bytes, at, end) {
    const { kind, operand } = operationOf(bytes[at] ?? 0);
    if (kind === 'end') return [];
    if (kind === 'switch') return switchAt(bytes, at).targets;
    if (kind !== 'jump' && kind !== 'branch') return [end];
    const target = at + (operand === 4 ? s4(bytes, at + 1) : (u2(bytes, at + 1) << 16) >> 16);
    return kind === 'jump' ? [target] : [target, end];
  },
  refers: (code) => REFERRING.has(operationOf(code).kind),
  isCall: (code) => operationOf(code).kind === 'invoke',
};

/** The table of a switch is aligned to the beginning of the code. */
function switchAt(bytes: Uint8Array, at: number): { targets: readonly number[]; end: number } {
  const table = at + 4 - (at & 3);
  const isTable = bytes[at] === TABLESWITCH;
  const count = isTable ? s4(bytes, table + 8) - s4(bytes, table + 4) + 1 : s4(bytes, table + 4);
  if (count < 0 || count > bytes.length) throw new UnfollowableError('malformed switch');
  const size = isTable ? 4 : 8;
  const cases = Array.from({ length: count }, (_, each) => at + s4(bytes, table + 12 + each * size));
  return { targets: [at + s4(bytes, table), ...cases], end: table + (isTable ? 12 : 8) + count * size };
}

function u2(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

function s4(bytes: Uint8Array, at: number): number {
  return (u2(bytes, at) << 16) | u2(bytes, at + 2);
}

function wordsOf(type: string): number {
  if (type.startsWith('V')) return 0;
  return type.startsWith('J') || type.startsWith('D') ? 2 : 1;
}

interface Words {
  readonly parameters: readonly number[];
  readonly result: number;
}

const knownWords = new WeakMap<MemberFacts, Words>();

/** `(IJ[Ljava/lang/String;)V` -> the words of each parameter, and of the result. */
function wordsIn(member: MemberFacts): Words {
  const known = knownWords.get(member);
  if (known !== undefined) return known;
  const { descriptor } = member;
  const end = descriptor.indexOf(')');
  const types = descriptor.slice(1, end).match(/\[*(?:L[^;]*;|[A-Z])/g) ?? [];
  const found = { parameters: types.map(wordsOf), result: wordsOf(descriptor.slice(end + 1)) };
  knownWords.set(member, found);
  return found;
}

export function followBytecode(code: Instructions, members: ReadonlyMap<number, MemberFacts>): CodeBody {
  const bytes = Buffer.from(code.code, 'base64');
  const own = code.isStatic ? [] : [BITS.this];
  const variables: number[] = [...own, ...Array.from({ length: code.parameters }, () => BITS.argument)];
  while (variables.length < code.variables) variables.push(0);
  const entry = new Frame(variables, code.stack);
  return follow(code, { entry, instructions: instructionsOf(code, bytes, members, SET), run });

  function run(frame: Frame, instruction: Instruction, facts: FlowFacts | null): void {
    const { at, code: number, member } = instruction;
    const { kind, taken, put } = operationOf(number);
    if (member !== null) {
      if (kind === 'invoke') invoke(frame, instruction, member, facts);
      else if (kind === 'dynamic') dynamic(frame, member, facts);
      else if (kind === 'cast') facts?.handle(member);
      else field(frame, kind, member, facts);
      return;
    }
    const byte = bytes[at + 1] ?? 0;
    if (kind === 'load') load(frame, number < ILOAD_0 ? byte : (number - ILOAD_0) & 3, put);
    else if (kind === 'store') store(frame, number < ISTORE_0 ? byte : (number - ISTORE_0) & 3, taken);
    else if (kind === 'wide') wide(frame, at);
    else if (kind === 'increment') frame.store(byte, BITS.other);
    else if (kind === 'dup') frame.duplicate(1, number - FIRST_DUP);
    else if (kind === 'dup2') frame.duplicate(2, number - FIRST_DUP2);
    else if (kind === 'swap') frame.swap();
    else if (kind === 'opaque') throw new UnfollowableError('a subroutine');
    else {
      const value = frame.pop(kind === 'new-arrays' ? (bytes[at + 3] ?? 0) : taken);
      // The lock of another object may be held by anyone for any time.
      if (kind === 'element' || kind === 'lock') facts?.write(kind, value);
      frame.push(kind === 'convert' ? value : (MADE.get(kind) ?? BITS.other), put);
    }
  }

  function wide(frame: Frame, at: number): void {
    const { kind, taken, put } = operationOf(bytes[at + 1] ?? 0);
    const slot = u2(bytes, at + 2);
    if (kind === 'load') load(frame, slot, put);
    else if (kind === 'store') store(frame, slot, taken);
    else if (kind === 'increment') frame.store(slot, BITS.other);
    else throw new UnfollowableError('a subroutine');
  }

  function field(frame: Frame, kind: string, member: MemberFacts, facts: FlowFacts | null): void {
    const size = wordsOf(member.descriptor);
    const isRead = kind.startsWith('read');
    const isStatic = kind.endsWith('static');
    const value = isRead ? 0 : frame.pop(size);
    const holder = isStatic ? BITS.other : frame.pop();
    if (isRead) frame.push(mapOrigins(holder, [BITS.this, BITS.held]), size);
    if (facts === null) return;
    facts.handle(member);
    // Compilers make such a class for a switch over an enum; its initialiser only counts constants.
    const isSwitchTable = isRead && member.name.startsWith('$SwitchMap$');
    // The first touch of a class runs its initialiser, which may do anything.
    if (isStatic && member.targets === null && member.type !== code.type && !isSwitchTable) facts.isOpaque = true;
    if (!isRead) facts.write('field', holder, value, member.name);
    else if (holder & BITS.this) facts.reads.add(member.name);
  }

  /**
   * String concatenation, lambdas, methods of records and switches over types are known; anything else may do anything.
   */
  function dynamic(frame: Frame, member: MemberFacts, facts: FlowFacts | null): void {
    const { owner, runs } = member;
    const { parameters, result } = wordsIn(member);
    const [captured = BITS.other] = popArguments(frame, parameters);
    frame.push(owner === LAMBDAS ? BITS.function : BITS.other, result);
    if (facts === null) return;
    facts.handle(member);
    const body = runs === null ? undefined : members.get(runs);
    if (body === undefined) {
      facts.isOpaque ||= !HARMLESS_FACTORIES.has(owner);
      return;
    }
    // The effects of the lambda count here: it is only handed to code that calls it at once.
    const ofObject = body.name === '<init>' ? BITS.fresh : captured;
    const args = wordsIn(body).parameters.map(() => BITS.other);
    facts.call(body, body.isStatic ? BITS.other : ofObject, args);
  }
}

function load(frame: Frame, slot: number, size: number): void {
  frame.push(frame.load(slot), size);
}

function store(frame: Frame, slot: number, size: number): void {
  const value = frame.pop(size);
  for (let word = 0; word < size; word++) frame.store(slot + word, value);
}

function invoke(frame: Frame, { call }: Instruction, member: MemberFacts, facts: FlowFacts | null): void {
  const { parameters, result } = wordsIn(member);
  const args = popArguments(frame, parameters);
  const receiver = member.isStatic ? BITS.other : frame.pop();
  facts?.call(member, receiver, args, call);
  facts?.handle(member);
  frame.push(bitsOfResult(call), result);
}

function popArguments(frame: Frame, parameters: readonly number[]): number[] {
  return parameters.map((_, at) => frame.pop(parameters[parameters.length - 1 - at])).reverse();
}
