/** The effect of one piece of code by itself, and the code that it may run. */
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
  /** Without the code that it calls. */
  readonly own: Level;
  /** The part of `own` that comes from calls of the platform. */
  readonly ofPlatform: Level;
  readonly calls: readonly { readonly code: number; readonly receiver: Origin }[];
  /** The only field that it writes, with its argument and without reading it; null if it does anything else. */
  readonly setField: string | null;
  /** Members whose possible targets are not known yet. */
  readonly missingMembers: readonly number[];
  /** Types whose methods the platform may call, which are not known yet. */
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
  // The effect of other calls depends on the results of these.
  if (missingMembers.length > 0) return { ...NOTHING, missingMembers };
  const results = resultsOf(body, members, platform);
  const origin = (bits: number) => originOf(bits, results) ?? 'other';
  let own: Level = LEVEL.none;
  for (const [kind, holder, ,] of body.writes) own = worst(own, levelOfWrite(kind, origin(holder)));
  // The call may wait for the lock of its object.
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

/** Finds the origins of the results of calls, which may depend on each other, even in a circle. */
function resultsOf(
  { calls }: CodeBody,
  members: ReadonlyMap<number, MemberFacts>,
  platform: Platform,
): ReadonlyMap<number, Origin> {
  const results = new Map<number, Origin>();
  const platformCalls = calls.flatMap((call) => {
    const member = members.get(call.member);
    return call.result !== null && member?.isPlatform ? [{ ...call, result: call.result, member }] : [];
  });
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const { result, member, receiver, arguments: args } of platformCalls) {
      const [from, ...given] = [receiver, ...args].map((bits) => originOf(bits, results));
      // The origins of its arguments are not known yet.
      if (from === null || from === undefined || given.includes(null)) continue;
      const call: PlatformCall = { member, receiver: from, arguments: given.map((each) => each ?? 'other') };
      const merged = mergeOrigins(results.get(result) ?? null, platform.resultOf(call));
      isChanged ||= merged !== results.get(result);
      results.set(result, merged);
    }
  }
  return results;
}

/** Types of the app whose objects a call of the platform may receive. */
function typesMet({ handled }: CodeBody, { meets, isOpen }: MemberFacts): readonly number[] {
  if (handled.length === 0) return [];
  return isOpen ? [...new Set([...meets, ...handled])] : meets;
}

/** Null if it is unknown which methods would be called. */
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
