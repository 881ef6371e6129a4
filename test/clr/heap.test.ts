/** Objects that only running methods hold: found by a heap scan, which the program survives. */

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import { clr as declaration } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import { AMPLE } from '../support/budget.ts';
import { type Clr, here, startDotnet } from '../support/dotnet.ts';
import { endAll } from '../support/real-processes.ts';
import { attachWhenStarted } from './attach-when-started.ts';

const LOOKS = 6;

afterEach(endAll);

describe.each(here<Clr>('mono', 'net9', 'net8'))('a program with all its state in local variables on %s', (clr) => {
  it('is read after a look through its heap', async () => {
    const target = await startDotnet(clr, 'locals', { ready: /ready/ });
    const app = await attachWhenStarted(target);
    const before = await app.read();
    expect(Object.keys(before).filter((key) => /ledger|worker|diary|journal/i.test(key))).toEqual([]);
    await app.read('deep');
    const found = app.state;
    const origins = Object.fromEntries((app.capture?.roots ?? []).map(({ name, origin }) => [name, origin]));
    expect(origins).toMatchObject({
      diary: 'async Wait',
      ledger: clr === 'mono' ? 'held by running code' : 'local variable of Locals.Program.Keep',
    });
    expect(found).toMatchObject({ 'ledger.Entries.length': 40, 'ledger.Entries[3].Text': 'entry 3', 'diary.Days': 17 });
    // Each entry leads to the ledger and back: it is one root of state, not forty.
    expect(Object.keys(found).filter((key) => /^(entry|worker_|ledger_)/.test(key))).toEqual([]);
    for (const key of ['ledger.Turns', 'worker.Rounds'])
      await app.until(`another of ${key}`, (state) => Number(state[key]) > Number(found[key]));
    target.write('q');
    expect(await target.exited).toBe(3);
  });

  it('goes on through one look after the other, while it allocates on several threads', async () => {
    const target = await startDotnet(clr, 'locals', { ready: /ready/ });
    let collections = 0;
    for (let look = 0; look < LOOKS; look++) {
      const app = await attachWhenStarted(target);
      await app.until('a collection', (state) => Number(state['Weather.Collections']) > collections);
      // The profiler slot is free again a moment after the last scan.
      await app.until('the ledger', (state) => {
        if (state['ledger.Turns'] !== undefined) return true;
        void app.read('deep').catch(() => {});
        return false;
      });
      collections = Number(app.state['Weather.Collections']);
      if (look === LOOKS - 1)
        process.stdout.write(`${clr}: the longest pause was ${app.state['Weather.LongestPauseMs']} ms\n`);
      await app.probe.detach();
    }
    target.write('q');
    expect(await target.exited).toBe(3);
  });
});

describe.each(here<Clr>('mono', 'net9'))('a program with a large heap on %s', (clr) => {
  it('is not stopped for a look through it', async () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-heap-')), 'longest');
    fs.writeFileSync(file, Buffer.alloc(16));
    const target = await startDotnet(clr, 'tight', { args: ['4', '8', file] });
    const driver = createClrDriver({ ...declaration.settings.parse({}), heap_max_mb: 4 });
    const { inspector, signal } = createHost();
    const said: string[] = [];
    const log = { debug: (_: object, text: string) => void said.push(text), info() {}, warn() {}, error() {} };
    const abort = new AbortController().signal;
    const tools = { inspect: inspector, signal, log, trace: NO_TRACE, hints: {}, maxKeys: 1000, budget: AMPLE, abort };
    const probe = await driver.attach(target.info, tools);
    const request = { full: true, signal: AbortSignal.timeout(25_000) };
    expect((await probe.capture({ ...request, depth: 'fast' })).suggestsHeapScan).toBe(true);
    await probe.capture({ ...request, depth: 'deep' });
    expect(said).toContain('the heap is too large for a look through it');
    expect(said).not.toContain('looked through the heap');
    expect((await probe.capture({ ...request, depth: 'fast' })).suggestsHeapScan).toBe(false);
    await probe.detach();
    fs.rmSync(path.dirname(file), { recursive: true });
  });
});
