/** The short programs, and their expected output: the same ones each time. */
import path from 'node:path';
import { javaCommand, monoCommand } from './compiled.ts';
import { PROGRAMS } from './folders.ts';

export interface ShortProgram {
  readonly kind: string;
  readonly command: readonly string[];
  readonly lifeMs: number;
  readonly code: number;
  readonly stdout: string;
  /** Pieces of its input over its whole life; then it ends. */
  readonly input: readonly string[];
}

/** It listens: after 3 s it is an app, however short it lives. */
export const SERVER = 'server';
const NODE_KINDS = ['timer', 'child', 'client', 'json', 'stdin'];
const LEAST_MS = 500;
const MOST_MS = 5000;
const SERVER_LEAST_MS = 3500;
const SEED = 20_261_115;
/** One of this many listens, one is Java, one is Mono. */
const OTHERS_EVERY = 33;
const INPUT = Array.from({ length: 10 }, () => 'a line of input\n'.repeat(50));
const CHILD_CODE = 3;

export function planShort(count: number, port: number): ShortProgram[] {
  const random = randomFrom(SEED);
  return Array.from({ length: count }, (_, number) => {
    const kind = kindOf(number, random);
    const least = kind === SERVER ? SERVER_LEAST_MS : LEAST_MS;
    const lifeMs = Math.round(least + random() * (MOST_MS - least));
    return programOf(kind, number, lifeMs, port);
  });
}

function kindOf(number: number, random: () => number): string {
  const rest = number % OTHERS_EVERY;
  if (rest === 1) return SERVER;
  if (rest === 2 && javaCommand('Brief') !== null) return 'Java';
  if (rest === 3 && monoCommand() !== null) return 'Mono';
  return NODE_KINDS[Math.floor(random() * NODE_KINDS.length)] ?? 'timer';
}

function programOf(kind: string, number: number, lifeMs: number, port: number): ShortProgram {
  const code = number % 5;
  const plain = { kind, lifeMs, code, input: kind === 'stdin' ? INPUT : [] };
  const other = kind === 'Java' ? javaCommand('Brief') : kind === 'Mono' ? monoCommand() : null;
  const args = [String(lifeMs), String(number), String(code)];
  if (other !== null) return { ...plain, command: [...other, ...args], stdout: `brief ${number}\n` };
  const command = [process.execPath, path.join(PROGRAMS, 'short.cjs'), kind, ...args, String(port)];
  return { ...plain, command, stdout: expected(kind, number) };
}

function expected(kind: string, number: number): string {
  if (kind === 'child') return `child ${number}: ${JSON.stringify([CHILD_CODE, `timer ${number}\n`, ''])}\n`;
  if (kind === 'client') return `client ${number}: []\n`;
  if (kind === 'stdin') return `stdin ${number}: ${INPUT.join('').length}\n`;
  if (kind !== 'json') return `${kind} ${number}\n`;
  const rows = Array.from({ length: 20 }, (_, written) => JSON.stringify({ written, text: 'x'.repeat(4000) }));
  return `{"number":${number},"rows":[${rows.join()}]}\n`;
}

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
