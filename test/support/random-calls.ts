/** Calls methods with random JSON: each call is accepted or refused, and the program goes on. */
import type { Action, Answer } from './act-answers.ts';

const SCALARS: readonly unknown[] = [
  ...[null, true, false, 0, -1, 7, 300, 70_000, 2 ** 40, Number.MAX_SAFE_INTEGER, 1e20, 0.5, -1e300, 1e-7],
  ...['', 'x', 'NEW', 'New', 'paid', 'Read, Write', '5', '-1', '1e999999999', '1e400', '2024-05-31', 'PT1H', '1.2.3'],
  ...['2024-05-31T18:30:00Z', '2024-02-31', '01:30:00', '[ref] nowhere', '[ref] shop.carts[1]', 'https://example.com'],
  ...['123e4567-e89b-12d3-a456-426614174000', '\u0000', '\ud800', 'EUR', 'XYZ', 'en-GB'],
];
const NAMES = 'sku Sku price weight parts x y X history note street number 1 7 $ref'.split(' ');

interface Caller {
  invoke(called: string, args: Record<string, unknown>): Promise<Answer>;
}

/** `taken`: the number of calls that ran. */
export async function randomCalls(harness: Caller, actions: readonly Action[], runs: number) {
  const next = generator(11);
  const pick = <Of>(all: readonly Of[]): Of | undefined => all[Math.floor(next() * all.length)];
  const value = (depth: number): unknown => {
    const kind = depth === 0 ? 0 : Math.floor(next() * 4);
    if (kind < 2) return pick(SCALARS);
    const parts = Array.from({ length: Math.floor(next() * 4) }, () => value(depth - 1));
    return kind === 2 ? parts : Object.fromEntries(parts.map((part) => [pick(NAMES), part]));
  };
  const broken: string[] = [];
  let taken = 0;
  for (let run = 0; run < runs; run++) {
    const { binding, parameters } = pick(actions) ?? { binding: '', parameters: [] };
    const args = Object.fromEntries(parameters.map(({ name }) => [name, value(3)]));
    const answer = await harness.invoke(binding.slice('method:'.length), args);
    const isRefused = answer.refused === 'argument' && answer.message !== '';
    if (answer.ok === undefined && !isRefused) broken.push(`${binding} ${JSON.stringify(args)}: ${answer.message}`);
    if (/mismatch|ClassCast|InvalidCast|a value is no|cannot be left out/.test(answer.message))
      broken.push(`${binding} ${JSON.stringify(args)}: ${answer.message}`);
    if (answer.ok) taken++;
  }
  if (taken < runs / 50) broken.push('nearly all was refused');
  return { broken, taken };
}

/** The same numbers each time (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
