/**
 * A new runtime is one folder and one line: this one is a declaration, a driver and a probe, and everything else works
 * with it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { configSchema } from '../../../src/config-schema.ts';
import { Daemon } from '../../../src/daemon/daemon.ts';
import { createHost } from '../../../src/host/host.ts';
import { EVERYTHING } from '../../../src/model/permissions.ts';
import { actionRequest, type SubstrateState } from '../../../src/model/wire.ts';
import { declareDriver } from '../../../src/probes/declaration.ts';
import type { Capture, Probe, ProbeDriver } from '../../../src/probes/probe.ts';
import { createDrivers } from '../../../src/probes/registry.ts';
import { needsNothing } from '../../../src/probes/support/launch.ts';
import { SchemaRegistry } from '../../../src/store/schema-registry.ts';
import { NO_LOG } from '../../support/fake-machine.ts';
import { end, until } from '../../support/real-processes.ts';
import { tempFolder } from '../store/temp-folder.ts';

/** Its program keeps a number in a file of its folder, and can add to it. */
const COMMAND = 'toy-counter';
const settings = z.strictObject({ unit: z.string().default('cups') });

class ToyProbe implements Probe {
  readonly closed = new Promise<void>(() => {});
  private readonly file: string;
  private readonly unit: string;

  constructor(file: string, unit: string) {
    this.file = file;
    this.unit = unit;
  }

  async capture(): Promise<Capture> {
    const count = Number(fs.readFileSync(this.file, 'utf8'));
    const add = { name: 'by', type: 'number', required: true } as const;
    return {
      leaves: { kind: 'full', paths: ['counter.count', 'counter.unit'], values: [count, this.unit] },
      roots: [{ name: 'counter', origin: 'the counter', mangled: false }],
      actions: [
        {
          binding: 'add',
          name: 'counter.add',
          parameters: [add],
          returns: 'number',
          effect: 'setter',
          description: 'Adds.',
        },
      ],
      context: { url: null, location: null, view: null, window_title: null, window_id: null },
      tier: 'toy_file',
      domTierUsed: false,
      rawCount: 2,
      coverage: 1,
      costMs: null,
      stoppedBy: null,
      suggestsHeapScan: false,
    };
  }

  async invoke(_: string, { by }: Readonly<Record<string, unknown>>) {
    const count = Number(fs.readFileSync(this.file, 'utf8')) + Number(by);
    fs.writeFileSync(this.file, String(count));
    return { ok: true, message: 'Added.', rawReturn: count, invocationContext: null };
  }

  async detach(): Promise<void> {}
}

const createToyDriver = ({ unit }: z.infer<typeof settings>): ProbeDriver => ({
  recognise: ({ argv: [command, , , file] }) =>
    command === COMMAND && file !== undefined
      ? { runtime: 'toy', runtimeName: 'Toy', appName: 'counter', identity: file }
      : null,
  attach: async ({ argv }) => new ToyProbe(argv[3] ?? '', unit),
  diagnose: async () => ({ attachable: true, way: 'its file', blocker: null, remedy: null }),
  help: (launch) => (launch.names.includes(COMMAND) ? needsNothing(launch, 'Toy') : null),
});

const toy = declareDriver({
  runtime: 'toy',
  tiers: ['toy_file'],
  settings,
  commands: [[/^toy-counter$/, 'Toy']],
  load: async () => createToyDriver,
});

function startCounter(file: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', file], {
    argv0: COMMAND,
    stdio: 'ignore',
  });
  onTestFinished(() => end({ child }));
  return child;
}

it('a further runtime is one declaration: its state and actions are served', async () => {
  const file = path.join(tempFolder(), 'count');
  fs.writeFileSync(file, '3');
  const { pid = 0 } = startCounter(file);
  const host = createHost();
  const schemas = new SchemaRegistry({ dir: tempFolder(), logger: NO_LOG });
  const daemon = new Daemon({
    config: configSchema.parse({ scanner: { attach: 'all', interval_ms: 50 }, probe: { settle_ms: 0 } }),
    scanner: host.scanner,
    inspector: host.inspector,
    signal: host.signal,
    loadDrivers: () => createDrivers({ toy: { unit: 'mugs' } }, { declarations: [toy] }),
    schemas,
    metrics: { probeCycle: () => {}, budgetSpent: () => {} },
    log: NO_LOG,
    actionLog: { note: () => {}, begin: () => () => {} },
    browsers: { open: () => Promise.reject(new Error('no browser was wanted')) },
    users: null,
    owners: null,
  });
  onTestFinished(async () => {
    await daemon.stop();
    await schemas.flush();
  });
  await daemon.start();
  await until('its state', () => daemon.listApps(EVERYTHING).some((app) => app.pid === pid && app.has_state));
  const options = {
    keyId: 'key-1',
    keyLabel: null,
    permissions: EVERYTHING,
    permissionsNow: () => EVERYTHING,
    signal: new AbortController().signal,
    spendSnapshot: () => {},
  };
  const { bytes } = await daemon.readState(pid, { fresh: true, keys: null, known: [] }, options);
  const state = JSON.parse(Buffer.concat(bytes ?? []).toString()) as SubstrateState;
  expect(state).toMatchObject({ runtime: 'toy', app_name: 'counter', probe_metadata: { probe_tier: 'toy_file' } });
  expect(state.objects).toEqual({ 'counter.count': 3, 'counter.unit': 'mugs' });
  const request = { pid, action: 'counter.add', parameters: { by: 4 }, verify_expression: 'counter.count === 7' };
  const { fields } = await daemon.act(actionRequest.parse(request), options);
  expect(fields).toMatchObject({ success: true, verification: { passed: true } });
});

it('a wrong section of it is refused', async () => {
  await expect(createDrivers({ toy: { unit: 7 } }, { declarations: [toy] })).rejects.toThrow(/unit/);
});
