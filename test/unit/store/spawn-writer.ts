import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { build } from 'esbuild';

export async function bundleWriter(folder: string): Promise<string> {
  const outfile = path.join(folder, 'writer.mjs');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'writer-process.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return outfile;
}

export interface Writer {
  child: ChildProcess;
  /** Ids of the created keys that it reported, growing. */
  reported: string[];
  firstReport: Promise<void>;
  /** Resolves when the process is gone and all of its output has been read. */
  ended: Promise<{ code: number | null; complaints: string }>;
}

interface WriterOptions {
  bundle: string;
  keysFile: string;
  schemasDir: string;
  count: number;
  paddingBytes?: number;
}

export function spawnWriter(options: WriterOptions): Writer {
  const { bundle, keysFile, schemasDir, count, paddingBytes = 0 } = options;
  const child = spawn(process.execPath, [bundle, keysFile, schemasDir, String(count), String(paddingBytes)]);
  const reported: string[] = [];
  let rest = '';
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += String(chunk);
  });
  const firstReport = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      reported.push(...lines);
      if (reported.length > 0) resolve();
    });
    child.on('close', () => resolve());
  });
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, complaints }));
  return { child, reported, firstReport, ended };
}
