/** One complete run of a tool: its output, and the CPU time of all its processes. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { childrenCpu, cleanEnv, collect } from '../shared/proc.ts';
import type { ToolApp } from './tool-apps.ts';
import { MODULES, TOOLS_FOLDER } from './tool-packages.ts';

export interface ToolRun {
  readonly code: number;
  readonly cpu: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The shell outlives the tool until its times were read: they include all children that were waited for. The tool does
 * not get the two pipes that this takes.
 */
const SHELL = '"$@" 3>&- 4<&-; echo "$?" >&3; read -r _ <&4';

export async function runTool({ command, folder }: ToolApp): Promise<ToolRun> {
  const [name = '', ...args] = command;
  const child = spawn('sh', ['-c', SHELL, 'sh', path.join(MODULES, '.bin', name), ...args], {
    cwd: folder,
    // A permanent home: some tools keep a cache there.
    env: cleanEnv(TOOLS_FOLDER, { CI: '1', NO_COLOR: '1' }),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('sh cannot be started');
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const closed = new Promise((resolve) => child.once('close', resolve));
  // Pipes, as requested above.
  const said = child.stdio[3] as NodeJS.ReadableStream;
  const go = child.stdio[4] as NodeJS.WritableStream;
  const code = await new Promise<number>((resolve) => said.once('data', (line) => resolve(Number(line))));
  const cpu = childrenCpu(pid);
  go.end('\n');
  await closed;
  return { code, cpu, stdout: stdout(), stderr: stderr() };
}
