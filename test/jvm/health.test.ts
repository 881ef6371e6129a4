/**
 * The agent's reports about itself: parts that do not work in a program, and exceptions that it dropped. If a JVM can
 * be made to fail, it is; the rest runs in `health-harness/`, with the agent's classes and a JVM that refuses.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SHORT_RUN } from '../../scripts/javac.mjs';
import { buildJvmAgent } from '../../scripts/jvm-agent.mjs';
import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { javaRules } from '../../src/probes/drivers/jvm/java-classes.ts';
import { PROTOCOL_VERSION } from '../../src/probes/drivers/jvm/protocol.ts';
import { AMPLE } from '../support/budget.ts';
import { javaOf, jdks, MAIN_JDK, QUICK, SHOP, startJava } from '../support/java.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startScreen } from '../support/runtimes.ts';
import type { Target } from '../support/targets.ts';
import { capture, folderOf, loadAndConnect } from './bare-agent.ts';

const AGENT = path.resolve(import.meta.dirname, '../../src/probes/drivers/jvm/agent/java');
const HARNESS = path.join(import.meta.dirname, 'health-harness');
const CELLAR = { target: 'jmx', main: 'Cellar' };
const WAREHOUSE = { target: 'jmx', main: 'Warehouse' };
const WINDOW = { target: 'window', main: 'com.example.dice.DiceWindow' };

interface Health {
  readonly parts?: readonly { readonly name: string; readonly problem: string }[];
  readonly discarded?: Readonly<Record<string, number>>;
}

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'health-'));
beforeAll(() => {
  expect(buildJvmAgent()).not.toBeNull();
}, 150_000);
afterEach(endAll);
afterAll(() => fs.rmSync(work, { recursive: true, force: true, maxRetries: 5 }));

/** Options that put a class into a wrong module: the JVM refuses it as soon as it is needed. */
function broken(module: string, type: string): string[] {
  const file = path.join(work, module, `${type.replaceAll('.', '/')}.class`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, 'no class');
  return ['--patch-module', `${module}=${path.join(work, module)}`];
}

/** The answers to a hello and to the captures after it. */
async function attach(target: Target, options: Parameters<typeof loadAndConnect>[2] = {}) {
  const channel = await loadAndConnect(target, folderOf(target), options);
  const signal = AbortSignal.timeout(25_000);
  const request = {
    op: 'hello',
    protocol: PROTOCOL_VERSION,
    maxKeys: 1000,
    budget: AMPLE,
    jmx: true,
    swing: true,
  } as const;
  const hello = (await channel.call(request, signal)) as Health;
  await channel.call({ op: 'rules', ...javaRules(null) }, signal);
  return { hello, capture: async (full = false) => (await capture(channel, full)) as Health };
}

/** Like a daemon. */
async function attachByDriver(target: Target) {
  const app = await ProbedApp.attach(createJvmDriver(jvm.settings.parse({})), target.info);
  return { probe: app.probe, read: () => app.read() };
}

const names = ({ parts }: Health) => parts?.map(({ name }) => name);

describe('parts that do not work in a Java program', () => {
  it.each(jdks().map(({ version }) => version))('there are none in a usual program on Java %i', async (jdk) => {
    const { hello, capture } = await attach(await startJava(SHOP, { jdk }), { channel: jdk < 16 ? 'fifo' : 'unix' });
    expect(hello.parts).toEqual([]);
    expect(await capture(true)).toMatchObject({ parts: [] });
    // Nothing has changed.
    expect(await capture()).not.toHaveProperty('parts');
  });

  it('there are none where the program has neither windows nor beans', async () => {
    const { hello, capture } = await attach(await startJava(SHOP, { options: ['--limit-modules', 'java.base'] }));
    expect(hello.parts).toEqual([]);
    expect(names(await capture(true))).toEqual([]);
  });

  it('the native library', async () => {
    const { hello } = await attach(await startJava(SHOP), { way: 'jar' });
    expect(hello.parts).toEqual([
      { name: 'stacks', problem: expect.stringMatching(/^the agent is without its native library: objects that only/) },
    ]);
  });

  it('management beans, from the capture on that finds them', async () => {
    const options = broken('java.management', 'javax.management.openmbean.TabularData');
    const target = await startJava(CELLAR, { ready: /ready/, options });
    const { probe, read } = await attachByDriver(target);
    expect(probe.health?.()).toEqual({ parts: [], discarded: {} });
    const { parts, discarded } = await until('the part', async () => {
      await read();
      const health = probe.health?.();
      return health?.parts.length ? health : null;
    });
    const problem =
      /^(?:ClassFormat|NoClassDefFound)Error .*javax\/management\/openmbean\/TabularData.*: management beans are not read/;
    expect(parts).toEqual([{ name: 'jmx', problem: expect.stringMatching(problem) }]);
    expect(Object.keys(discarded)).toEqual([expect.stringMatching(/^Reading\.read:\w+Error$/)]);
  });

  it('windows, of which the fields cannot be read', async () => {
    const options = [
      ...broken('java.desktop', 'javax.swing.InputVerifier'),
      `-Duser.home=${fs.mkdtempSync(path.join(work, 'home-'))}`,
    ];
    const env = { DISPLAY: `:${await startScreen()}` };
    const { hello, capture } = await attach(await startJava(WINDOW, { ready: /./, env, options }));
    expect(hello.parts).toEqual([]);
    const seen = await until('the part', async () => {
      const health = await capture();
      return health.parts?.some(({ name }) => name === 'swing') ? health : null;
    });
    expect(seen.parts).toContainEqual({
      name: 'swing',
      problem: expect.stringMatching(/^\w+ at field javax?\..*: controls are/),
    });
    expect(Object.keys(seen.discarded ?? {})).toContainEqual(expect.stringMatching(/^Fields\.resolve:/));
  });
});

describe('exceptions that the agent goes on without', () => {
  it('are counted by place, and sent when there are more', async () => {
    const { capture } = await attach(await startJava(WAREHOUSE, { ready: /ready/ }));
    const first = await until('the bean that throws', async () => {
      const health = await capture();
      return health.discarded ? health : null;
    });
    expect(first.discarded).toEqual({ 'Reading.read:RuntimeMBeanException': 1 });
    expect(await capture()).not.toHaveProperty('discarded');
    expect((await capture(true)).discarded).toEqual(first.discarded);
  });
});

describe('reports of the agent itself', () => {
  const run = (name: string, ...options: string[]) =>
    execFileSync(
      javaOf(MAIN_JDK),
      [
        QUICK,
        '-XX:+DisableAttachMechanism',
        `-Dtables=${JSON.stringify(javaRules(null))}`,
        ...options,
        '-cp',
        path.join(work, 'classes'),
        'substrate.agent.health.HealthHarness',
        name,
      ],
      { encoding: 'utf8' },
    )
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Health);
  const problemsOf = (name: string) => new Map(run(name)[0]?.parts?.map((part) => [part.name, part.problem]));

  beforeAll(() => {
    const sources = ['health/HealthHarness.java', 'vm/Natives.java'].map((file) =>
      path.join(HARNESS, 'substrate/agent', file),
    );
    execFileSync('javac', [
      ...[...SHORT_RUN, '--release', '8', '-Xlint:-options', '-encoding', 'UTF-8', '-d', path.join(work, 'classes')],
      ...['-sourcepath', `${HARNESS}:${AGENT}`, ...sources],
    ]);
  }, 150_000);

  it('have what is new, and all of it on request', () => {
    const swing = { name: 'swing', problem: 'NoClassDefFoundError javax/swing/JFrame: windows are not read' };
    const jmx = { name: 'jmx', problem: 'IllegalStateException: beans are not read' };
    expect(run('reports')).toEqual([
      { all: true, parts: [] },
      { all: false },
      { all: false, parts: [swing], discarded: { 'Walk.read:IllegalStateException': 1 } },
      { all: false },
      { all: false, discarded: { 'Walk.read:IllegalStateException': 2 } },
      { all: false, parts: [swing, jmx] },
      { all: false, parts: [jmx] },
      { all: true, parts: [jmx], discarded: { 'Walk.read:IllegalStateException': 2 } },
    ]);
  });

  it('have a bound', () => {
    const [{ parts = [], discarded = {} } = {}] = run('manyPlaces');
    expect(Object.keys(discarded)).toHaveLength(64);
    expect(discarded.other).toBe(37);
    expect(parts).toHaveLength(20);
    expect(parts.every(({ problem }) => problem.length === 200)).toBe(true);
  });

  it('lose nothing when threads count at once', () => {
    const [{ discarded = {} } = {}] = run('manyThreads');
    expect(discarded).toEqual(
      Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`Place.number${at}:Error`, 16_000])),
    );
  });

  it('name a class only where its name is plain', () => {
    expect(run('oddNames')[0]?.discarded).toEqual({ 'Walk.umlaut': 1, 'Walk.nothing': 1, 'Walk.anonymous': 1 });
  });

  it('need no memory', () => {
    expect(run('noMemory', '-Xmx16m')[1]?.discarded).toEqual({ 'Walk.full': 1000 });
  });

  it('have a line for each part that a JVM refuses: without the native library', () => {
    expect(problemsOf('instrumented')).toEqual(
      new Map([
        ['stacks', expect.stringContaining('local variables')],
        ['modules', expect.stringMatching(/^the JVM keeps package jdk\.internal\.misc closed: fields of its classes/)],
        ['static_fields', expect.stringMatching(/^IllegalAccessException: static fields are not read/)],
      ]),
    );
  });

  it('have a line for each part that a JVM refuses: with it', () => {
    expect([...problemsOf('natives').keys()].sort()).toEqual(['classes', 'cpu_time', 'modules', 'stacks']);
  });

  it('have a line for classes of the JDK that are of another version', () => {
    expect(problemsOf('unknownJdk')).toEqual(
      new Map([
        ['threads', expect.stringContaining('objects that only threads hold are not found')],
        ['collections', 'java.util.ArrayList is closed or of an unknown version: its elements are not read'],
      ]),
    );
  });
});
