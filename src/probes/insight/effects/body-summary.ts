/** What one piece of code does by itself, and what else it may run. */
import type { CodeBody, MemberFacts } from './code-facts.ts';
import type { Platform, PlatformCall } from './platform.ts';
import {
  LEVEL,
  type Level,
  levelOfWritingTo,
  levelSeenFrom,
  mergeOrigins,
  type Origin,
  originOf,
  worst,
} from './value-origin.ts';

export interface BodySummary {
  /** Apart from the code that it calls. */
  readonly own: Level;
  /** Of that: what it does by calling the platform. */
  readonly ofPlatform: Level;
  readonly calls: readonly { readonly code: number; readonly receiver: Origin }[];
  /** The only field that it writes, with what the caller gave, and does not read; null: it is no such. */
  readonly setField: string | null;
  /** Of which it is not known yet what may run. */
  readonly missingMembers: readonly number[];
  /** Types of which it is not known yet what the platform may call on their objects. */
  readonly missingContracts: readonly number[];
}

type Contracts = ReadonlyMap<number, ReadonlyMap<string, readonly number[] | null>>;

export const NOTHING: BodySummary = {
  own: LEVEL.none,
  ofPlatform: LEVEL.none,
  calls: [],
  setField: null,
  missingMembers: [],
  missingContracts: [],
};
const UNKNOWN: BodySummary = { ...NOTHING, own: LEVEL.unknown, ofPlatform: LEVEL.unknown };

export function summarise(
  body: CodeBody,
  members: ReadonlyMap<number, MemberFacts>,
  contracts: Contracts,
  platform: Platform,
): BodySummary {
  if (body.isOpaque || body.notes.includes('lazy-sequence')) return UNKNOWN;
  const missingMembers = body.calls.map(({ member }) => member).filter((id) => !members.has(id));
  // What the others do depends on what these bring.
  if (missingMembers.length > 0) return { ...NOTHING, missingMembers };
  const results = resultsOf(body, members, platform);
  const origin = (bits: number) => originOf(bits, results) ?? 'other';
  let own: Level = LEVEL.none;
  for (const [kind, holder, ,] of body.writes) own = worst(own, levelOfWrite(kind, origin(holder)));
  // Its lock may be waited for.
  if (own === LEVEL.none && body.notes.includes('synchronized')) own = LEVEL.own;
  let ofPlatform: Level = LEVEL.none;
  const calls: { code: number; receiver: Origin }[] = body.initialisers.map((code) => ({ code, receiver: 'other' }));
  const missing = new Set<number>();
  for (const { member: id, receiver: bits, arguments: args } of body.calls) {
    const member = members.get(id);
    if (member === undefined) return UNKNOWN;
    const receiver = origin(bits);
    for (const code of member.initialisers) calls.push({ code, receiver: 'other' });
    if (member.isPlatform) {
      const call = { member, receiver, arguments: args.map(origin) };
      ofPlatform = worst(ofPlatform, platform.levelOf(call, body.notes));
      const found = contractCalls(platform.contractsOf(call), typesMet(body, member), contracts);
      if (found === null) return UNKNOWN;
      for (const code of found.codes) calls.push({ code, receiver: 'other' });
      for (const type of found.missing) missing.add(type);
      continue;
    }
    for (const each of member.inherited) {
      const inherited = members.get(each);
      if (inherited === undefined) return UNKNOWN;
      const call = { member: inherited, receiver: 'this', arguments: args.map(origin) } as const;
      ofPlatform = worst(ofPlatform, levelSeenFrom(receiver, platform.levelOf(call, body.notes)));
    }
    if (member.targets === null) return UNKNOWN;
    for (const code of member.targets) calls.push({ code, receiver });
  }
  return {
    own: worst(own, ofPlatform),
    ofPlatform,
    calls,
    setField: own <= LEVEL.fields ? setFieldOf(body, origin) : null,
    missingMembers: [],
    missingContracts: [...missing],
  };
}

function levelOfWrite(kind: CodeBody['writes'][number][0], holder: Origin): Level {
  const level = levelOfWritingTo(holder);
  if (level === LEVEL.none || kind === 'lock') return level;
  if (kind === 'element') return holder === 'this' ? LEVEL.unknown : level;
  return holder === 'this' || holder === 'part' ? LEVEL.fields : LEVEL.unknown;
}

function setFieldOf({ writes, reads }: CodeBody, origin: (bits: number) => Origin): string | null {
  const counting = writes.filter(([, holder]) => levelOfWritingTo(origin(holder)) !== LEVEL.none);
  const isGiven = counting.every(
    ([kind, holder, value]) => kind === 'field' && origin(holder) === 'this' && origin(value) === 'argument',
  );
  const fields = new Set(counting.map(([, , , field]) => field));
  const [field = null] = fields;
  return isGiven && fields.size === 1 && field !== null && !reads.includes(field) ? field : null;
}

/** Where the results of calls come from: each may depend on those of others, also in a circle. */
function resultsOf(
  { calls }: CodeBody,
  members: ReadonlyMap<number, MemberFacts>,
  platform: Platform,
): ReadonlyMap<number, Origin> {
  const results = new Map<number, Origin>();
  const telling = calls.flatMap((call) => {
    const member = members.get(call.member);
    return call.result !== null && member?.isPlatform ? [{ ...call, result: call.result, member }] : [];
  });
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const { result, member, receiver, arguments: args } of telling) {
      const [from, ...given] = [receiver, ...args].map((bits) => originOf(bits, results));
      // Nothing is known yet of what it is called with.
      if (from === null || from === undefined || given.includes(null)) continue;
      const call: PlatformCall = { member, receiver: from, arguments: given.map((each) => each ?? 'other') };
      const merged = mergeOrigins(results.get(result) ?? null, platform.resultOf(call));
      isChanged ||= merged !== results.get(result);
      results.set(result, merged);
    }
  }
  return results;
}

/** Types of the app whose objects a call of the platform may get hold of. */
function typesMet({ handled }: CodeBody, { meets, isOpen }: MemberFacts): readonly number[] {
  if (handled.length === 0) return [];
  return isOpen ? [...new Set([...meets, ...handled])] : meets;
}

/** null: what would be called cannot be told. */
function contractCalls(
  names: readonly string[],
  types: readonly number[],
  contracts: Contracts,
): { codes: readonly number[]; missing: readonly number[] } | null {
  const codes: number[] = [];
  const missing: number[] = [];
  for (const type of names.length === 0 ? [] : types) {
    const known = contracts.get(type);
    if (known === undefined) {
      missing.push(type);
      continue;
    }
    for (const name of names) {
      const found = known.get(name);
      if (found === null) return null;
      codes.push(...(found ?? []));
    }
  }
  return { codes, missing };
}
