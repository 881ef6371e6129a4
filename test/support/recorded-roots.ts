/**
 * Recorded roots of real programs, by name and origin, with the agent's facts about them. Recorded by `RECORD_FACTS=1
 * npx vitest run --project jvm --project clr test/jvm/known-roots.test.ts test/clr/known-roots.test.ts`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, vi } from 'vitest';
import type { LeafRoot } from '../../src/model/leaves.ts';
import { RootCatalog } from '../../src/probes/insight/roots/root-catalog.ts';
import type { RootsUpdate } from '../../src/probes/insight/roots/root-facts.ts';
import type { ProbedApp } from './probed-app.ts';
import { until } from './real-processes.ts';

const FOLDER = path.resolve(import.meta.dirname, '../unit/probes/insight/recorded/roots');
const ALIKE = 4;

export interface RecordedRoots {
  readonly roots: readonly string[];
  /** One after the other, with the names of windows. */
  readonly updates: readonly { readonly update: RootsUpdate | null; readonly windows: readonly string[] }[];
}

export function readRoots(program: string): RecordedRoots {
  return JSON.parse(fs.readFileSync(path.join(FOLDER, `${program}.json`), 'utf8'));
}

/** Runs `use`, and returns the reported roots. */
export async function rootsReported(use: () => Promise<void>): Promise<RecordedRoots['updates']> {
  const take = vi.spyOn(RootCatalog.prototype, 'take');
  try {
    await use();
    return take.mock.calls.flatMap(([update, windows = new Set()]) =>
      update === null ? [] : [{ update, windows: [...windows] }],
    );
  } finally {
    take.mockRestore();
  }
}

/** `shop: static fields of com.example.Shop`; numbers of threads and ports are left out. */
export function spoken(roots: readonly LeafRoot[]): string[] {
  return roots.map(({ name, origin }) => `${name}: ${origin.replace(/(?<=thread .*)\d+/g, '0')}`);
}

/** In their order, once they are the same at several captures. */
export async function rootsOf(
  app: ProbedApp,
  isReady: (app: ProbedApp, roots: readonly string[]) => boolean,
): Promise<string[]> {
  let roots: readonly LeafRoot[] = [];
  let alike = 0;
  const read = async () => {
    await app.read();
    const now = app.capture?.roots ?? roots;
    alike = isDeepStrictEqual(now, roots) ? alike + 1 : 0;
    roots = now;
  };
  await until('the program to have started', async () => {
    await read();
    return isReady(app, spoken(roots));
  });
  alike = 0;
  await until('the roots to stay', async () => {
    await read();
    return alike >= ALIKE;
  });
  return spoken(roots);
}

/** Roots found by their place, however busy the program is. */
function standing(roots: readonly string[]): string[] {
  return roots.filter((root) => /: (?:static|constants|single)/.test(root));
}

/** True once a program that is loading classes has most of its roots. */
export function hasMostOf(program: string, roots: readonly string[]): boolean {
  if (process.env.RECORD_FACTS === '1') return true;
  const recorded = standing(readRoots(program).roots);
  return recorded.filter((root) => roots.includes(root)).length > 0.9 * recorded.length;
}

/** `isStarting`: it is loading classes, so that some roots may be missing. */
export function expectRoots(program: string, now: RecordedRoots, isStarting: boolean): void {
  if (process.env.RECORD_FACTS === '1') {
    fs.mkdirSync(FOLDER, { recursive: true });
    const lines = now.updates.map((update) => JSON.stringify(update)).join(',\n');
    const text = `{"roots": ${JSON.stringify(now.roots, null, 2)},\n"updates": [\n${lines}\n]}\n`;
    fs.writeFileSync(path.join(FOLDER, `${program}.json`), text);
  }
  const recorded = readRoots(program).roots;
  if (!isStarting) {
    expect(now.roots).toEqual(recorded);
    return;
  }
  const both = standing(recorded).filter((root) => now.roots.includes(root));
  expect(hasMostOf(program, now.roots)).toBe(true);
  expect(standing(now.roots).filter((root) => recorded.includes(root))).toEqual(both);
}
