/** Feeds inputs to a parser: random ones, and changed samples. Each must end soon, in a value or a refusal. */
import fc from 'fast-check';
import { isFault, type Parser } from './parsers.ts';

/** A slower parser would block the daemon. */
const MAX_MS = 100;
const LONGEST = 65_536;

type Edit =
  | { readonly kind: 'set'; readonly at: number; readonly value: number }
  | { readonly kind: 'cut' | 'twice'; readonly at: number; readonly length: number }
  | { readonly kind: 'put'; readonly at: number; readonly bytes: Uint8Array };

/** Texts that are difficult for parsers of JSON, tables and numbers. */
const ODD = [
  '0',
  '-1',
  '4294967295',
  '9007199254740993',
  '1e999',
  'null',
  '{}',
  '[]',
  '"',
  '\\',
  '\n',
  '\0',
  '__proto__',
  '\ud83d',
  '('.repeat(200),
  '['.repeat(500),
];

const place = fc.nat(LONGEST);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constant('set' as const),
    at: place,
    value: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)),
  }),
  fc.record({ kind: fc.constantFrom('cut' as const, 'twice' as const), at: place, length: fc.nat(64) }),
  fc.record({
    kind: fc.constant('put' as const),
    at: place,
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 16 }),
      fc.constantFrom(...ODD).map((text) => Buffer.from(text)),
    ),
  }),
);

export function inputsFor({ samples }: Pick<Parser, 'samples'>): fc.Arbitrary<Buffer> {
  const made = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  const words = fc.array(fc.constantFrom(...ODD, 'a', '.', ',', ':', ' ', '=', '{', '}'), { maxLength: 20 });
  const text = words.map((parts) => Buffer.from(parts.join('')));
  if (samples.length === 0) return fc.oneof(made, text);
  const sample = fc.constantFrom(...samples.map((one) => Buffer.from(one)));
  const changed = fc
    .tuple(sample, fc.array(edit, { minLength: 1, maxLength: 6 }))
    .map(([start, edits]) => edits.reduce(apply, start));
  return fc.oneof({ arbitrary: changed, weight: 6 }, { arbitrary: made, weight: 1 }, { arbitrary: text, weight: 1 });
}

function apply(bytes: Buffer, change: Edit): Buffer {
  const at = change.at % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (change.kind) {
    case 'put':
      return Buffer.concat([before, change.bytes, after]);
    case 'set':
      return Buffer.concat([before, Buffer.from([change.value]), after.subarray(1)]);
    case 'cut':
      return Buffer.concat([before, after.subarray(change.length)]);
    case 'twice':
      return Buffer.concat([before, after.subarray(0, change.length), after]).subarray(0, LONGEST);
  }
}

/** Throws with the smallest input that was found. Returns the longest CPU time of this thread, in ms. */
export function fuzz(parser: Parser, runs: number, seed: number): number {
  let slowest = 0;
  fc.assert(
    fc.property(inputsFor(parser), (bytes) => {
      const took = timed(() => tryToParse(parser, bytes));
      slowest = Math.max(slowest, took);
      // Twice: the machine may have been busy.
      if (took > MAX_MS && timed(() => tryToParse(parser, bytes)) > MAX_MS)
        throw new Error(`it took ${Math.round(took)} ms`);
    }),
    { numRuns: runs, seed, endOnFailure: true },
  );
  return slowest;
}

function tryToParse({ parse, isGuarded }: Parser, bytes: Buffer): void {
  try {
    parse(bytes);
  } catch (error) {
    if (!isGuarded && isFault(error)) throw error;
  }
}

function timed(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
