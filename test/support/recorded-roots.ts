/**
 * Roots of real programs as they were once, by name and origin. They are recorded by
 * `RECORD_FACTS=1 npx vitest run --project jvm --project clr test/jvm/known-roots.test.ts test/clr/known-roots.test.ts`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { LeafRoot } from '../../src/model/leaves.ts';
import type { ProbedApp } from './probed-app.ts';
import { until } from './real-processes.ts';

const FOLDER = path.resolve(import.meta.dirname, '../unit/probes/insight/recorded/roots');
const ALIKE = 4;

/** `shop: static fields of com.example.Shop`, in the order in which they come; numbers of threads and ports are left out. */
export async function rootsOf(app: ProbedApp, isReady: (app: ProbedApp) => boolean = () => true): Promise<string[]> {
  let roots: readonly LeafRoot[] = [];
  let alike = 0;
  await until('the roots', async () => {
    await app.read();
    const now = app.capture?.roots ?? roots;
    alike = isReady(app) && isDeepStrictEqual(now, roots) ? alike + 1 : 0;
    roots = now;
    return alike === ALIKE;
  });
  return roots.map(({ name, origin }) => `${name}: ${origin.replace(/(?<=thread .*)\d+/g, '0')}`);
}

/** `isStarting`: it goes on loading classes, so that some roots are there or not; those that stand somewhere are compared. */
export function expectRoots(program: string, now: readonly string[], isStarting: boolean): void {
  const file = path.join(FOLDER, `${program}.json`);
  if (process.env.RECORD_FACTS === '1') {
    fs.mkdirSync(FOLDER, { recursive: true });
    fs.writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
  }
  const recorded: string[] = JSON.parse(fs.readFileSync(file, 'utf8'));
  if (!isStarting) return expect(now).toEqual(recorded);
  const standing = (roots: readonly string[]) => roots.filter((root) => /: (?:static|constants|single)/.test(root));
  const both = standing(recorded).filter((root) => now.includes(root));
  expect(both.length).toBeGreaterThan(0.9 * standing(recorded).length);
  expect(standing(now).filter((root) => recorded.includes(root))).toEqual(both);
}
