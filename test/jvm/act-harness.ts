/** A JVM with the agent's classes for actions and a small shop to try them on; compiled and started once per test file. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { SHORT_RUN } from '../../scripts/javac.mjs';
import { JAVA } from '../../src/probes/drivers/jvm/java-platform.ts';
import { JAVA_VALUES } from '../../src/probes/drivers/jvm/java-values.ts';
import type { Action, Answer } from '../support/act-answers.ts';
import { HarnessMethods } from '../support/act-catalog.ts';
import { end, start } from '../support/real-processes.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const AGENT = path.join(ROOT, 'src/probes/drivers/jvm/agent/java');
const SOURCES = path.join(ROOT, 'test/jvm/act-harness');

export interface Harness {
  ask(request: Record<string, unknown>): Promise<unknown>;
  actions(): Promise<readonly Action[]>;
  /** `crowd`: a class that is met in a hundred places; `few`: its answers are too short for more than one class. */
  methodsOf(what: 'crowd' | 'few'): HarnessMethods;
  invoke(holderAndMethod: string, args: Record<string, unknown>, timeoutMs?: number): Promise<Answer>;
  /** The shop's classes, compiled with these options; returns the folder. */
  compileModel(name: string, options: readonly string[]): string;
  stop(): Promise<void>;
}

export async function startHarness(): Promise<Harness> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'act-'));
  const compileModel = (name: string, options: readonly string[]) => {
    const out = path.join(folder, name);
    execFileSync('javac', [...SHORT_RUN, ...options, '-d', out, ...javaFiles(path.join(SOURCES, 'model'))]);
    return out;
  };
  const model = compileModel('model', ['-g']);
  const classes = path.join(folder, 'harness');
  const harnessFiles = javaFiles(path.join(SOURCES, 'harness'));
  const only8 = ['--release', '8', '-Xlint:-options', '-sourcepath', AGENT, '-d', classes];
  execFileSync('javac', [...SHORT_RUN, ...only8, ...harnessFiles]);
  const manifest = path.join(folder, 'manifest');
  fs.writeFileSync(manifest, 'Premain-Class: substrate.agent.act.ActHarness\n');
  const jar = path.join(folder, 'harness.jar');
  execFileSync('jar', ['cfm', jar, manifest, '-C', classes, '.']);
  const options = ['-Djava.awt.headless=true', '--add-opens', 'java.base/java.lang=ALL-UNNAMED'];
  const args = [...options, `-javaagent:${jar}`, '-cp', `${jar}:${model}`, 'substrate.agent.act.ActHarness'];
  const started = start('java', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = started.child;
  if (!stdin || !stdout) throw new Error('the harness has no streams');
  const lines = readline.createInterface({ input: stdout })[Symbol.asyncIterator]();
  const ask = async (request: Record<string, unknown>): Promise<unknown> => {
    stdin.write(`${JSON.stringify(request)}\n`);
    const line = await lines.next();
    if (line.done) throw new Error('the harness ended');
    return JSON.parse(line.value);
  };
  const methodsOf = (of: string) =>
    new HarnessMethods({ platform: JAVA, values: JAVA_VALUES, map: 'map', isOnlyOneFound: true }, (question) =>
      ask({ ...question, of }),
    );
  const shop = methodsOf('shop');
  await shop.settled();
  if (process.env.RECORD_FACTS) shop.recorder.save('java-shop');
  return {
    ask: async (request) => {
      const { binding, args = {} } = request;
      if (typeof binding !== 'string') return ask(request);
      return ask({ ...request, call: await shop.call(binding, args as Record<string, unknown>) });
    },
    actions: () => shop.settled(),
    methodsOf,
    invoke: async (called, args, timeoutMs = 10_000) => {
      const call = await shop.call(`method:${called}`, args);
      if (call === null) return { refused: 'gone', message: `there is no action ${called}`, running: 0 };
      if (typeof call === 'string') return { refused: 'argument', message: call, running: 0 };
      return (await ask({ op: 'invoke', call, timeoutMs })) as Answer;
    },
    compileModel,
    stop: async () => {
      await end(started);
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

function javaFiles(folder: string): string[] {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.name.endsWith('.java'))
    .map((entry) => path.join(entry.parentPath, entry.name));
}
