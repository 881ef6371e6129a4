/** The instruction set of a runtime as a table, and the parser of code. */
import type { Instructions, MemberFacts } from './code-facts.ts';

/** The bytes are no code, or the code does something that cannot be followed. */
export class UnfollowableError extends Error {}

export interface Operation<Kind extends string> {
  readonly kind: Kind;
  /** The number of bytes of its operand. */
  readonly operand: number;
  /** The number of values it takes from the stack, and the number it puts there. */
  readonly taken: number;
  readonly put: number;
}

type KindOf<Row extends string> = Row extends `${infer Kind} ${string}` ? Kind : Row;

/**
 * By the kind of operation with the number of values it takes and puts (`plain 2>1`): the opcodes in hexadecimal, with
 * the bytes of their operands (`20:4 22:4 58-64`).
 */
export function operationTable<Row extends string>(
  rows: Readonly<Record<Row, string>>,
): (code: number) => Operation<KindOf<Row>> {
  const operations: (Operation<string> | undefined)[] = [];
  for (const [row, codes] of Object.entries<string>(rows)) {
    const [kind = '', taken = 0, put = 0] = row.split(/[ >]/);
    for (const each of codes.split(' ')) {
      const [range = '', operand = 0] = each.split(':');
      const [first = 0, last = first] = range.split('-').map((code) => Number.parseInt(code, 16));
      const operation = { kind, operand: Number(operand), taken: Number(taken), put: Number(put) };
      for (let code = first; code <= last; code++) operations[code] = operation;
    }
  }
  return (code) => {
    const operation = operations[code];
    if (operation === undefined) throw new UnfollowableError('no such operation');
    return operation as Operation<KindOf<Row>>;
  };
}

/** An instruction in a piece of code, with the member it refers to. */
export interface Instruction {
  readonly at: number;
  readonly code: number;
  /** The start of the next instruction. */
  readonly end: number;
  /** The instructions that may follow. */
  readonly next: readonly number[];
  readonly member: MemberFacts | null;
  /** The number of a call of the platform. */
  readonly call: number | null;
}

export interface InstructionSet {
  codeAt(bytes: Uint8Array, at: number): number;
  lengthAt(bytes: Uint8Array, at: number): number;
  /** The instructions that may follow; `end`: the address after the instruction. */
  nextOf(bytes: Uint8Array, at: number, end: number): readonly number[];
  refers(code: number): boolean;
  isCall(code: number): boolean;
}

/** By the addresses where they start. */
export function instructionsOf(
  { references }: Instructions,
  bytes: Uint8Array,
  members: ReadonlyMap<number, MemberFacts>,
  set: InstructionSet,
): ReadonlyMap<number, Instruction> {
  const found = new Map<number, Instruction>();
  let referred = 0;
  let calls = 0;
  for (let at = 0; at < bytes.length; ) {
    const code = set.codeAt(bytes, at);
    const end = at + set.lengthAt(bytes, at);
    if (end <= at || end > bytes.length) throw new UnfollowableError('an instruction goes beyond the end');
    const member = set.refers(code) ? (members.get(references[referred++] ?? -1) ?? null) : null;
    if (member === null && set.refers(code)) throw new UnfollowableError('it refers to nothing');
    const call = set.isCall(code) && member?.isPlatform ? calls++ : null;
    found.set(at, { at, code, end, next: set.nextOf(bytes, at, end), member, call });
    at = end;
  }
  return found;
}
