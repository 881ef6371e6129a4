/** The effect of each .NET instruction on values. */
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
import { BITS, bitsOfResult, isOnly, mapOrigins } from '../../insight/effects/value-origin.ts';

/** ECMA-335, partition VI, annex C. Operations of two bytes are numbered from 0x100. */
const operationOf = operationTable({
  'plain 0>0': '00-01 112:1 113-114 116:4 11e',
  'plain 0>1': 'd0:4 11c:4',
  'plain 1>0': '26',
  'plain 1>1': '46-50 65-66 71:4 79:4 8e c3 11d',
  'plain 2>1': '58-64 90-9a a3:4 d6-db 102-105',
  'constant 0>1': '14-1e 1f:1 20:4 21:8 22:4 23:8 72:4',
  /** Conversions between numbers: the value is still the one that the caller gave. */
  'same 0>0': '67-6e 76 82-8b b3-ba d1-d5 e0',
  'load-argument': '02-05 0e:1 109:2',
  'load-local': '06-09 11:1 10c:2',
  'store-argument': '10:1 10b:2',
  'store-local': '0a-0d 13:1 10e:2',
  'address-of-argument 0>1': '0f:1 10a:2',
  'address-of-local 0>1': '12:1 10d:2',
  dup: '25',
  call: '28:4 6f:4',
  new: '73:4',
  function: '106:4',
  'virtual-function': '107:4',
  'read-field': '7b:4',
  'address-of-field': '7c:4',
  'write-field': '7d:4',
  'read-static': '7e:4',
  'address-of-static': '7f:4',
  'write-static': '80:4',
  type: '74-75:4 8c:4 a5:4',
  /** The value popped last is written to. */
  'address 1>0': '115:4',
  'address 2>0': '51-57 70:4 81:4 df',
  'element 3>0': '9b-a2 a4:4',
  'address-of-element 2>1': '8f:4',
  'new-array 1>1': '8d:4',
  'compare 2>1': '101',
  'equal 2>0': '2e:1 33:1 3b:4 40:4',
  'branch 1>0': '2c-2d:1 39-3a:4',
  'branch 2>0': '2f-32:1 34-37:1 3c-3f:4 41-44:4',
  'switch 1>0': '45:4',
  jump: '2b:1 38:4',
  leave: 'dd:4 de:1',
  'end 0>0': '2a dc 11a',
  'end 1>0': '7a 111',
  opaque: '27:4 29:4 c2:4 c6:4 100 10f 117-118',
});
const REFERRING = words(
  'call new function virtual-function type',
  'read-field address-of-field write-field read-static address-of-static write-static',
);
const CALL = 0x28;
const RET = 0x2a;
const FIRST_LDARG = 0x02;
const FIRST_WITH_SLOT = 0x0e;
const LONG = 0x100;

const SET: InstructionSet = {
  codeAt: (bytes, at) => (bytes[at] === 0xfe ? LONG | (bytes[at + 1] ?? 0) : (bytes[at] ?? 0)),
  lengthAt(bytes, at) {
    const code = SET.codeAt(bytes, at);
    const { kind, operand } = operationOf(code);
    const begin = code < LONG ? 1 : 2;
    return begin + operand + (kind === 'switch' ? 4 * targetCount(bytes, at) : 0);
  },
  nextOf(bytes, at, end) {
    const { kind, operand } = operationOf(SET.codeAt(bytes, at));
    if (kind === 'end') return [];
    if (kind === 'switch') {
      const targets = Array.from({ length: targetCount(bytes, at) }, (_, each) => end + s4(bytes, at + 5 + 4 * each));
      return [...targets, end];
    }
    const target = end + (operand === 1 ? ((bytes[at + 1] ?? 0) << 24) >> 24 : s4(bytes, at + 1));
    if (kind === 'jump' || kind === 'leave') return [target];
    return kind === 'branch' || kind === 'equal' ? [target, end] : [end];
  },
  refers: (code) => REFERRING.has(operationOf(code).kind),
  isCall: (code) => operationOf(code).kind === 'call' || operationOf(code).kind === 'new',
};

function targetCount(bytes: Uint8Array, at: number): number {
  const count = s4(bytes, at + 1);
  if (count < 0 || count > bytes.length) throw new UnfollowableError('malformed switch');
  return count;
}

function s4(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

/** The variable or argument of a load, store or address. */
function slotAt(bytes: Uint8Array, { at, code }: Instruction): number {
  if (code >= LONG) return (bytes[at + 2] ?? 0) | ((bytes[at + 3] ?? 0) << 8);
  return code < FIRST_WITH_SLOT ? (code - FIRST_LDARG) & 3 : (bytes[at + 1] ?? 0);
}

const OWN = BITS.this | BITS.part;
const OF_CALL = BITS.fresh | BITS.local | BITS.closure;
const MADE: ReadonlyMap<string, number> = new Map([
  ['constant', BITS.constant],
  ['new-array', BITS.fresh],
  ['address-of-argument', BITS.local],
  ['address-of-local', BITS.local],
]);
/** Compilers cache a lambda without captures in such a field; its body is named in the same method. */
const LAMBDA_CACHE = /^<>(?:9__|f__(?:am|mg)\$cache)|.>__/;
const COMPARING = words('op_Equality op_Inequality Equals');

const isCacheOfLambda = ({ name, traits }: MemberFacts) => traits.includes('delegate') && LAMBDA_CACHE.test(name);

export function followIl(code: Instructions, members: ReadonlyMap<number, MemberFacts>): CodeBody {
  const bytes = Buffer.from(code.code, 'base64');
  const argumentCount = code.parameters + (code.isStatic ? 0 : 1);
  const instructions = instructionsOf(code, bytes, members, SET);
  const closures = new Set(code.closures);
  const loose = looseVariables();
  const compared = comparedFields();
  const self = code.notes.includes('closure') ? BITS.closure : BITS.this;
  const variables = Array.from({ length: code.variables }, (_, slot) => {
    if (slot >= argumentCount) return BITS.constant;
    return slot === 0 && !code.isStatic ? self : BITS.argument;
  });
  return follow(code, { entry: new Frame(variables, code.stack), instructions, run });

  function variableAt(instruction: Instruction): number {
    return slotAt(bytes, instruction) + (kindOf(instruction).endsWith('local') ? argumentCount : 0);
  }

  /** Variables without a known value: their address is taken, or a `finally` writes them. */
  function looseVariables(): ReadonlySet<number> {
    const found = new Set<number>();
    for (const instruction of instructions.values()) {
      const kind = kindOf(instruction);
      const { at } = instruction;
      const isFinally = kind === 'store-local' && code.handlers.some(([, , from, , to]) => at >= from && at < to);
      const isAddress = kind === 'address-of-local' || kind === 'address-of-argument';
      if (isFinally || isAddress) found.add(variableAt(instruction));
    }
    return found;
  }

  /** `this.x == value`, in either order: it only decides whether an equal value is written again. */
  function comparedFields(): ReadonlySet<number> {
    const found = new Set<number>();
    const all = [...instructions.values()];
    const isArgument = (at: number, slot: number) => all[at]?.code === FIRST_LDARG + slot;
    const isField = (at: number) => isArgument(at, 0) && kindOf(all[at + 1]) === 'read-field';
    for (let at = 0; at + 3 < all.length; at++) {
      if (!isComparison(all[at + 3])) continue;
      if (isField(at) && isArgument(at + 2, 1)) found.add(all[at + 1]?.at ?? 0);
      else if (isArgument(at, 1) && isField(at + 1)) found.add(all[at + 2]?.at ?? 0);
    }
    return found;
  }

  function run(frame: Frame, instruction: Instruction, facts: FlowFacts | null): void {
    const { at, member } = instruction;
    const { kind, taken, put } = operationOf(instruction.code);
    if (kind === 'opaque') throw new UnfollowableError('what it does cannot be followed');
    else if (kind.startsWith('load-')) {
      const slot = variableAt(instruction);
      // An async method passes the address of its closure, which stays the same object.
      const ifLoose = closures.has(slot) ? BITS.closure : BITS.other;
      frame.push(loose.has(slot) ? ifLoose : frame.load(slot));
    } else if (kind.startsWith('store-')) frame.store(variableAt(instruction), frame.pop());
    else if (kind === 'dup') frame.duplicate(1, 0);
    else if (kind === 'leave') frame.clear();
    // Only the result may be left: otherwise a value was misjudged.
    else if (instruction.code === RET && frame.depth > 1) throw new UnfollowableError('values are left over');
    else if (member === null) {
      const value = frame.pop(taken);
      if (kind === 'address' || kind === 'element') facts?.write(kind, value);
      if (kind === 'address-of-element')
        frame.push(mapOrigins(value, [BITS.fresh, BITS.local], [BITS.held, BITS.part]));
      else frame.push(MADE.get(kind) ?? BITS.other, put);
    } else if (kind === 'type') facts?.handle(member);
    else if (kind === 'call') invoke(frame, instruction, member, facts);
    else if (kind === 'new') make(frame, instruction, member, facts);
    else if (kind === 'function' || kind === 'virtual-function') {
      const target = member.isStatic && kind === 'function' ? BITS.other : frame.pop();
      // The object stays on the stack, below the function.
      if (kind === 'function' && !member.isStatic) frame.push(target);
      frame.push(BITS.function);
      // The effects of the function count here: it is only passed to code that calls it at once.
      facts?.call(member, target, othersFor(member));
    } else if (kind.endsWith('static')) staticField(frame, kind, member, facts);
    else field(frame, kind, at, member, facts);
  }

  function invoke(frame: Frame, { call }: Instruction, member: MemberFacts, facts: FlowFacts | null): void {
    const args = popArguments(frame, member);
    const receiver = member.isStatic ? BITS.other : frame.pop();
    facts?.call(member, receiver, args, call);
    if (member.name !== '.ctor') facts?.handle(member);
    addRun(member, facts);
    if (member.isVoid) return;
    const isOwn = member.isStatic ? code.isStatic && member.type === code.type : isOnly(receiver, BITS.this);
    const given = isOwn ? member.gives : null;
    if (given !== null) facts?.reads.add(given);
    frame.push(given !== null ? BITS.held : bitsOfResult(call));
  }

  /** An iterator works later, an async method when it is started: its effects count here. */
  function addRun({ runs }: MemberFacts, facts: FlowFacts | null): void {
    const work = runs === null ? undefined : members.get(runs);
    if (work !== undefined) facts?.call(work, BITS.closure, othersFor(work));
  }

  function make(frame: Frame, { call }: Instruction, member: MemberFacts, facts: FlowFacts | null): void {
    const args = popArguments(frame, member);
    const [first = BITS.other, second = BITS.other] = args;
    if (member.traits.includes('delegate')) {
      // The second argument is the function, pushed just before.
      frame.push(args.length === 2 && isOnly(second, BITS.function) ? BITS.function : BITS.other);
      return;
    }
    const made = member.traits.includes('closure') ? BITS.closure : BITS.fresh;
    facts?.call(member, made, args, call);
    facts?.handle(member);
    addRun(member, facts);
    // A converted number or text is still the value that the caller gave.
    if (member.owner === 'System.Nullable' && args.length === 1) frame.push(first);
    else frame.push(call === null ? made : bitsOfResult(call));
  }

  function field(frame: Frame, kind: string, at: number, member: MemberFacts, facts: FlowFacts | null): void {
    const value = kind === 'write-field' ? frame.pop() : BITS.other;
    const holder = frame.pop();
    facts?.handle(member);
    if (kind === 'write-field') {
      facts?.write('field', holder, value, member.name);
      return;
    }
    if (member.traits.includes('lazy')) facts?.notes.add('lazy-sequence');
    if (holder & OWN && !compared.has(at)) facts?.reads.add(member.name);
    if (kind === 'read-field') frame.push(readFrom(holder, member));
    else frame.push(mapOrigins(holder, [OWN, BITS.part], [OF_CALL, BITS.local]));
  }

  /** For a static method the static fields of its type count like the fields of an object. */
  function staticField(frame: Frame, kind: string, member: MemberFacts, facts: FlowFacts | null): void {
    const isOwn = code.isStatic && member.type === code.type;
    const isOwnInitialiser = isOwn && code.notes.includes('initialiser');
    const isCache = isCacheOfLambda(member);
    facts?.handle(member);
    if (!isOwnInitialiser) for (const each of member.initialisers) facts?.initialisers.add(each);
    if (kind === 'write-static') {
      const value = frame.pop();
      if (!isOwnInitialiser && !isCache) facts?.write('field', isOwn ? BITS.this : BITS.other, value, member.name);
      return;
    }
    if (member.traits.includes('lazy')) facts?.notes.add('lazy-sequence');
    if (isOwn && kind === 'read-static') facts?.reads.add(member.name);
    if (kind === 'read-static') frame.push(isCache ? BITS.function : readStatic(member, isOwn));
    else frame.push(isOwn ? BITS.part : BITS.other);
  }
}

function kindOf(instruction: Instruction | undefined): string {
  return instruction === undefined ? '' : operationOf(instruction.code).kind;
}

function isComparison(instruction: Instruction | undefined): boolean {
  const kind = kindOf(instruction);
  if (kind === 'equal' || kind === 'compare') return true;
  // `callvirt` does not count: a derived type may override it.
  const member = instruction?.code === CALL ? instruction.member : null;
  return member?.isPlatform === true && COMPARING.has(member.name);
}

function popArguments(frame: Frame, { parameters }: MemberFacts): number[] {
  return parameters.map(() => frame.pop()).reverse();
}

function othersFor({ parameters }: MemberFacts): number[] {
  return parameters.map(() => BITS.other);
}

function readFrom(holder: number, { name, traits }: MemberFacts): number {
  if (!traits.includes('closure')) return mapOrigins(holder, [OWN, BITS.held]);
  const isThis = name === '<>4__this' || name === '$this' || name === '<>f__this';
  const isOuter = name.startsWith('CS$<>8__locals') || name.startsWith('<>f__ref$');
  const within = isThis ? BITS.this : isOuter ? BITS.closure : BITS.other;
  return mapOrigins(holder, [OWN, BITS.held], [BITS.closure | BITS.local, within]);
}

function readStatic({ traits }: MemberFacts, isOwn: boolean): number {
  if (traits.includes('closure-typed')) return BITS.closure;
  // `string.Empty`, `decimal.Zero`.
  if (traits.includes('constant')) return BITS.constant;
  return isOwn ? BITS.held : BITS.other;
}
