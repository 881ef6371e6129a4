/** A heap scan collects garbage, and then finalizers of the app run: it is done only if needed. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Clr, here, startDotnet } from '../support/dotnet.ts';
import { endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';
import { attachWhenStarted } from './attach-when-started.ts';

const ENOUGH = 100;
const LITTLE = 3;
const folders: string[] = [];

afterEach(async () => {
  await endAll();
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true });
});

const start = (clr: Clr, state: number, ...loaded: string[]) =>
  startDotnet(clr, 'finalizing', { args: [String(state), ...loaded], ready: /ready/ });

/** An assembly with the name of the GTK# binding to GLib. */
function glibSharp(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-glib-'));
  folders.push(folder);
  const source = path.join(folder, 'glib.cs');
  fs.writeFileSync(source, 'namespace GLib { public class Object { } }');
  execFileSync('mcs', ['-target:library', `-out:${folder}/glib-sharp.dll`, source]);
  return path.join(folder, 'glib-sharp.dll');
}

/** Its output after it has collected by itself. */
async function collected(target: Target): Promise<string> {
  target.write('g');
  return until('the collection', () => target.output().includes('collected') && target.output());
}

describe.each(here<Clr>('mono', 'net9', 'net31'))('finalizers of a program on %s', (clr) => {
  it('do not run because of us where it has state that can be found without', async () => {
    const target = await start(clr, ENOUGH);
    for (let round = 0; round < 3; round++) {
      const app = await attachWhenStarted(target);
      await app.read();
      for (let poll = 0; poll < 5; poll++) await app.read();
      expect(app.capture?.suggestsHeapScan).toBe(false);
      expect(app.state).toMatchObject({ 'Program.state.length': ENOUGH });
      await app.probe.detach();
    }
    expect(target.output()).toBe('ready\n');
    // Finalizers would have printed something.
    expect(await collected(target)).toMatch(/^ready\n(?:finalized\n)+collected\n$/);
  });

  it('do not run because of us where GTK# is loaded, however little was found', async () => {
    const target = await start(clr, LITTLE, glibSharp());
    const app = await attachWhenStarted(target);
    await app.read();
    expect(app.capture?.suggestsHeapScan).toBe(false);
    await app.read('deep');
    await app.probe.detach();
    expect(target.output()).toBe('ready\n');
    expect(await collected(target)).toMatch(/finalized/);
  });
});

describe.each(here<Clr>('mono', 'net9'))('a program with next to no state on %s', (clr) => {
  it('is looked through', async () => {
    const target = await start(clr, LITTLE);
    const app = await attachWhenStarted(target);
    await app.read();
    expect(app.capture?.suggestsHeapScan).toBe(true);
    await app.read('deep');
    await until('finalizers', () => target.output().includes('finalized'));
    expect(app.capture?.suggestsHeapScan).toBe(false);
    await app.probe.detach();
  });
});
