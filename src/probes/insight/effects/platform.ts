/** Knowledge about the methods of a runtime's own library, by their names. */
import type { CodeBody, Instructions, MemberFacts } from './code-facts.ts';
import type { Level, Origin } from './value-origin.ts';

export interface PlatformCall {
  readonly member: MemberFacts;
  readonly receiver: Origin;
  readonly arguments: readonly Origin[];
}

export interface Platform {
  /** The effect of a piece of code by itself; `members`: all that it refers to. Throws UnfollowableError. */
  follow(code: Instructions, members: ReadonlyMap<number, MemberFacts>): CodeBody;
  levelOf(call: PlatformCall, notes: readonly string[]): Level;
  /** The origin of its result. */
  resultOf(call: PlatformCall): Origin;
  /** The methods that it may call on its arguments or on what they hold. */
  contractsOf(call: PlatformCall): readonly string[];
}

const ALL: ReadonlySet<string> = new Set(['*']);

export type NameTable = ReadonlyMap<string, ReadonlySet<string>>;

export function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}

/** `owner method method …`; an owner alone, or with a star, stands for all its methods. */
export function nameTable(lines: Iterable<string>): NameTable {
  return new Map(
    Array.from(lines, (line) => {
      const [owner = '', ...names] = line.split(' ');
      return [owner, names.length === 0 ? ALL : new Set(names)];
    }),
  );
}

export function isIn(table: NameTable, { owner, name }: MemberFacts): boolean {
  const names = table.get(owner);
  return names !== undefined && (names.has(name) || names.has('*'));
}
