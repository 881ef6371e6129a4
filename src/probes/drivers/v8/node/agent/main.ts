/**
 * The agent: evaluated once inside a Node process, then reached through a unix socket of its own. It leaves no global,
 * keeps no file once the daemon is connected, does not keep the process alive, and removes itself when the connection
 * ends, so that a killed daemon leaves nothing behind.
 */
import type { mkdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { encodeFrame, FrameDecoder, MAX_FRAME_BYTES } from '../../../../support/framed/frame.ts';
import { discarded } from '../../tree/discarded.ts';
import { Agent } from './agent.ts';
import type { Load } from './clock.ts';
import type { AgentExtension, AgentOptions, AgentPush, AgentRequest, MakeExtension } from './protocol.ts';
import { Reflector } from './reflector.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** The address of a unix socket has at most 107 characters, including `/agent.sock`. */
const MAX_FOLDER_LENGTH = 95;

type Require = (name: string) => unknown;

/** Resolves with the path of the socket. */
export default function startAgent(
  options: AgentOptions,
  fallbackRequire: Require | undefined,
  makeExtension?: MakeExtension,
): Promise<string> {
  const load = <Module>(name: string): Module =>
    (process.getBuiltinModule?.(name) ?? fallbackRequire?.(name)) as Module;
  const net = load<typeof import('node:net')>('net');
  const fs = load<typeof import('node:fs')>('fs');
  const os = load<typeof import('node:os')>('os');
  const { join } = load<typeof import('node:path')>('path');
  const inspector = load<typeof import('node:inspector')>('inspector');

  const { setTimeout, clearTimeout, setImmediate } = load<typeof import('node:timers')>('timers');
  const folder = makeFolder([os.tmpdir(), '/tmp', '/var/tmp'], options.folderName, fs.mkdirSync, join);
  const socketPath = join(folder, 'agent.sock');
  let connected: Socket | null = null;
  const push = (message: unknown) => {
    if (!connected || connected.destroyed) return;
    // A daemon that does not read must not fill the app's memory.
    if (connected.writableLength > MAX_FRAME_BYTES) connected.destroy();
    else connected.write(encodeFrame(JSON.stringify({ push: message } satisfies AgentPush)));
  };
  const removeFiles = () => quietly(() => fs.rmSync(folder, { recursive: true, force: true }));
  const agent = createAgent(options, load, makeExtension?.({ load, push }) ?? null, push, removeFiles);
  const closeInspector = () => {
    if (!options.closeInspector) return;
    // In the next turn of the loop: an unhandled SIGUSR1 event would open the inspector again.
    setImmediate(() => quietly(() => inspector.close()));
  };
  const giveUp = setTimeout(() => {
    server.close();
    removeFiles();
    agent.dispose();
    closeInspector();
  }, CONNECT_TIMEOUT_MS);
  giveUp.unref();

  const server = net.createServer((socket) => {
    clearTimeout(giveUp);
    server.close();
    removeFiles();
    socket.unref();
    connected = socket;
    const decoder = new FrameDecoder();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => agent.dispose());
    const reply = (answer: string | null) => {
      if (answer === null) socket.destroy();
      else if (!socket.destroyed) socket.write(encodeFrame(answer));
    };
    socket.on('data', (chunk) => {
      try {
        for (const text of decoder.push(chunk)) {
          // An unhandled rejection would end the app.
          agent
            .answer(JSON.parse(text) as AgentRequest)
            .then(reply)
            // An answer that cannot be written: the daemon notices the end of the connection.
            .catch(() => quietly(() => socket.destroy()));
        }
      } catch {
        // The input is no request of a daemon.
        quietly(() => socket.destroy());
      }
    });
    // By now the daemon has left the inspector's own connection.
    closeInspector();
  });
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      clearTimeout(giveUp);
      removeFiles();
      agent.dispose();
      reject(error);
    });
    // Exclusive: in a cluster the primary process would have to listen, and would notify the app.
    server.listen({ path: socketPath, exclusive: true }, () => resolve(socketPath));
  });
}

function createAgent(
  options: AgentOptions,
  load: Load,
  extension: AgentExtension | null,
  push: (message: unknown) => void,
  undo: () => void,
): Agent {
  try {
    const { realpathSync } = load<typeof import('node:fs')>('fs');
    return new Agent(options, load, {
      reflector: new Reflector(
        load('inspector'),
        load<typeof import('node:util')>('util').types,
        load('diagnostics_channel'),
      ),
      mainPath: extension?.mainScript() ?? mainScript(realpathSync),
      product: options.product,
      extension,
      push,
      heapFirst: false,
    });
  } catch (error) {
    extension?.dispose();
    undo();
    throw error;
  }
}

/** The first writable folder with a path that fits into a socket's address. */
function makeFolder(
  parents: string[],
  name: string,
  mkdir: typeof mkdirSync,
  join: (...parts: string[]) => string,
): string {
  let problem: unknown = new Error('no folder for temporary files has a path that is short enough');
  for (const parent of parents) {
    const folder = join(parent, name);
    if (folder.length > MAX_FOLDER_LENGTH) continue;
    try {
      mkdir(folder, { mode: 0o700 });
      return folder;
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

/** Failures in here must never reach the app. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The app could not do anything about it.
    discarded('Main.quietly');
  }
}

function mainScript(realpath: (path: string) => string): string {
  const script = process.argv[1];
  if (script === undefined) return '';
  for (const candidate of [script, `${script}.js`, `${script}/index.js`]) {
    try {
      const path = realpath(candidate);
      if (/\.[cm]?[jt]s$/.test(path) || candidate === script) return path;
    } catch {
      // It does not exist: tries the next form that Node accepts.
    }
  }
  return script;
}
