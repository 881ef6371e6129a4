/** A separate process that attaches like a daemon, to be killed in the middle of it. */

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { esbuildAgentPlugin } from '../../scripts/agent-plugin.mjs';
import { end, start } from './real-processes.ts';
import type { Target } from './targets.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** For `code`: `info` of the target, `tools`, and `again`, which retries an attach until the shared port is free. */
const PRELUDE = `
  import { createHost } from './src/host/host.ts';
  import { NO_TRACE } from './src/model/trace.ts';
  const { scanner, inspector, signal } = createHost();
  const info = (await scanner.scan()).appeared.find(({ pid }) => pid === Number(process.argv[2]));
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const budget = { searchMs: 30_000, searchPercent: 100, memoryBytes: 2 ** 30 };
  const tools = { inspect: inspector, signal, log, trace: NO_TRACE, maxKeys: 1000, budget, abort: new AbortController().signal };
  async function again(attach) {
    for (;;) {
      const attached = await attach().catch((error) => {
        if (!/^Port/.test(error.message)) throw error;
      });
      if (attached) return attached;
    }
  }
`;

interface Attacher {
  output(): string;
  /** Resolves with the signal that ended it. */
  readonly exited: Promise<string | null>;
  kill(): Promise<void>;
}

const built = new Map<string, Promise<string>>();

/** Once for all tests of a file: it takes as long as an attach. */
function bundle(code: string): Promise<string> {
  const known = built.get(code);
  if (known !== undefined) return known;
  const made = build({
    stdin: { contents: `${PRELUDE}${code}\nsetInterval(() => {}, 1000);`, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    plugins: [esbuildAgentPlugin],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  }).then(({ outputFiles: [file] }) => file?.text ?? '');
  built.set(code, made);
  return made;
}

/** Lives until it is killed, by itself or by us. Imports of `code` are relative to the root of the project. */
export async function startAttacher(target: Target, code: string): Promise<Attacher> {
  const text = await bundle(code);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'attacher-'));
  const outfile = path.join(folder, 'attacher.mjs');
  fs.writeFileSync(outfile, text);
  // Files of agents are expected beside the program, as in a package.
  for (const agent of ['clr', 'jvm']) fs.symlinkSync(path.join(ROOT, 'dist', agent), path.join(folder, agent));
  const started = start(process.execPath, [outfile, String(target.pid)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  started.child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const exited = new Promise<string | null>((resolve) => {
    started.child.once('exit', (_code, signal) => {
      fs.rmSync(folder, { recursive: true });
      resolve(signal);
    });
  });
  return { output: () => output, exited, kill: () => end(started) };
}
