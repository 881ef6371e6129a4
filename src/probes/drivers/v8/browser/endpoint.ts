/** Finds the debugging port of a running browser, only from facts of the OS about the process. */
import path from 'node:path';
import * as z from 'zod';
import type { ProcessInfo, ProcessInspector } from '../../../../model/process.ts';
import { AttachError } from '../../../probe.ts';
import { readSmallText } from '../../../support/plain-file.ts';
import { checkReachable } from '../../../support/reachable.ts';
import { askJson, localAddress } from '../cdp/debug-http.ts';

const version = z.object({ webSocketDebuggerUrl: z.string() });

/** The WebSocket address of the browser itself. `name`: what a person calls the program. */
export async function findEndpoint(process: ProcessInfo, name: string, inspect: ProcessInspector): Promise<string> {
  await checkReachable(process, inspect);
  const network = inspect.network(process);
  const listeners = inspect.listeners(process);
  const wanted = [flaggedPort(process), activePort(process, inspect)].filter((port) => port !== null);
  // Programs that embed a browser have servers of their own, which must not see requests of ours.
  const named = listeners.filter(({ port }) => wanted.includes(port));
  const addresses = (named.length > 0 ? named : listeners).flatMap((listener) => localAddress(listener) ?? []);
  for (const address of addresses) {
    const answer = await askJson(network, `http://${address}/json/version`);
    const { data } = version.safeParse(answer?.body);
    // Only the path is taken: whoever answers must not send us elsewhere.
    const socketPath = data && /^ws:\/\/[^/]+(\/devtools\/browser\/[\w-]+)$/.exec(data.webSocketDebuggerUrl)?.[1];
    if (socketPath) return `ws://${address}${socketPath}`;
    if (answer?.status === 404 && wanted.includes(Number(address.split(':').at(-1)))) throw needsUser(name);
  }
  throw withoutPort(process, name);
}

/** `--user-data-dir` as it is on the command line; null for the default one. */
export function userDataDir({ argv, cwd }: ProcessInfo): string | null {
  const value = optionValue(argv, 'user-data-dir');
  return value === null || value === '' ? null : path.resolve(cwd ?? '/', value);
}

export function asksForPort({ argv }: ProcessInfo): boolean {
  return optionValue(argv, 'remote-debugging-port') !== null;
}

function flaggedPort({ argv }: ProcessInfo): number | null {
  const port = Number(optionValue(argv, 'remote-debugging-port') ?? 0);
  return port > 0 ? port : null;
}

/** The port that the browser wrote down. The file may be left over from another run: who listens decides. */
function activePort(process: ProcessInfo, inspect: ProcessInspector): number | null {
  const folder = userDataDir(process);
  if (folder === null) return null;
  const text = readSmallText(inspect.resolvePath(process, path.join(folder, 'DevToolsActivePort')));
  return Number(text?.split('\n')[0]) || null;
}

function optionValue(argv: readonly string[], name: string): string | null {
  const option = argv.findLast((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`));
  return option === undefined ? null : option.slice(name.length + 3);
}

function needsUser(name: string): AttachError {
  return new AttachError(
    `This ${name} asks its user before it lets anybody debug it (remote debugging was switched on in its settings).`,
    { retry: true, remedy: 'Start it with --remote-debugging-port=0 --user-data-dir=<folder> instead.' },
  );
}

function withoutPort({ argv }: ProcessInfo, name: string): AttachError {
  if (optionValue(argv, 'remote-debugging-pipe') !== null) {
    return new AttachError(
      `This ${name} is debugged through a pipe by the program that started it, and has no port for anybody else.`,
      { retry: true, remedy: 'Start it with --remote-debugging-port=0.' },
    );
  }
  if (optionValue(argv, 'remote-debugging-port') !== null) {
    return new AttachError(
      `This ${name} does not listen on a debugging port, though its command line asks for one: it is still starting, the port is taken, or it refuses its default profile.`,
      { retry: true, remedy: 'Add --user-data-dir=<folder>.' },
    );
  }
  return new AttachError(`This ${name} runs without a debugging port, and none can be opened from outside.`, {
    retry: true,
    remedy: 'Start it with --remote-debugging-port=0 --user-data-dir=<folder>.',
  });
}
