/** Programs of Node that represent an app: its own server in bench/agent/servers, or a command of its package. */
import fs from 'node:fs';
import path from 'node:path';
import { start } from '../../test/support/real-processes.ts';
import type { Running } from './app.ts';

interface Place {
  readonly port: number;
  readonly folder: string;
  readonly modules: string;
}

/** Beside `modules`, from which the server takes its files. */
export function startServer(name: string, { port, folder, modules }: Place): Running {
  const file = path.resolve('bench/agent/servers', `${name}.cjs`);
  const { child } = start(process.execPath, [file, String(port)], { cwd: path.dirname(modules), stdio: 'ignore' });
  return { url: `http://127.0.0.1:${port}`, child, folder };
}

/** `file`: within node_modules. */
export function startPackage(file: string, args: readonly string[], { port, folder, modules }: Place): Running {
  return startCommand(process.execPath, [path.join(modules, file), ...args], { port, folder });
}

export function startCommand(
  command: string,
  args: readonly string[],
  { port, folder, env = {} }: { port: number; folder: string; env?: Record<string, string> },
): Running {
  const log = fs.openSync(path.join(folder, 'output.log'), 'a');
  const { child } = start(command, args, {
    cwd: folder,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', ...env },
  });
  fs.closeSync(log);
  return { url: port === 0 ? '' : `http://127.0.0.1:${port}`, child, folder };
}
