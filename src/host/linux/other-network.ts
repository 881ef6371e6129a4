/**
 * The network of a process in another network namespace. This process cannot enter it: a small program does
 * (`native/enter-network.c`), connects there, and passes the bytes on until one side ends the connection.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf, messageOf } from '../../model/failure.ts';
import type { HeldName, NetworkRefusal, ProcessNetwork } from '../../model/process.ts';

const HERE = path.dirname(fileURLToPath(import.meta.url));
/** The program itself gives up a connection sooner than this. */
const ANSWER_MS = 5000;
const ANY_ADDRESS = '127.0.0.1';
const MARK_BYTES = 3;
const EPERM = 1;
const EADDRINUSE = 98;
const ECONNREFUSED = 111;

const DOCS = 'docs/containers.md says what each way needs.';
const NO_RIGHT: NetworkRefusal = {
  blocker:
    'This program has a network of its own (a container), which this daemon may not enter: it needs the capability SYS_ADMIN, or to be the owner of the container.',
  remedy: `Run substrate as root, or inside the container's network. ${DOCS}`,
  mayChange: false,
};
const NOT_SEEN: NetworkRefusal = {
  blocker: 'The kernel does not let this daemon look into the network of this program, or the program has ended.',
  remedy: `Run substrate as root, or as the user of the program. ${DOCS}`,
  mayChange: false,
};

/** Stands for the network of a process that has ended or is not accessible. Its addresses must not be taken for ours. */
export const UNSEEN_NETWORK: ProcessNetwork = {
  id: 'unseen',
  whyClosed: () => Promise.resolve(NOT_SEEN),
  hold: () => Promise.resolve(null),
  connect: () => Promise.reject(new Error(NOT_SEEN.blocker)),
};

/** The namespaces of a process, by their files in /proc. */
interface NamespaceFiles {
  /** The kernel's name for the network: `net:[4026532840]`. */
  readonly id: string;
  readonly network: string;
  /** Null if it is the user namespace of this process. */
  readonly user: string | null;
  /** Called when both files are open: a new process may have the pid by then. */
  isAlive(): boolean;
}

export class OtherNetwork implements ProcessNetwork {
  readonly id: string;
  private readonly files: NamespaceFiles;
  private readonly helpers: Set<number>;

  /** `helpers` holds the pids of the running programs that pass bytes on. */
  constructor(files: NamespaceFiles, helpers: Set<number>) {
    this.id = files.id;
    this.files = files;
    this.helpers = helpers;
  }

  async whyClosed(): Promise<NetworkRefusal | null> {
    try {
      (await this.enter([hexOf(ANY_ADDRESS), '0'])).destroy();
      return null;
    } catch (error) {
      if (error instanceof Closed) return error.refusal;
      const blocker = `The network of this program (a container) cannot be entered: ${messageOf(error)}.`;
      return { blocker, remedy: 'It is tried again later.', mayChange: true };
    }
  }

  connect(host: string, port: number): Promise<net.Socket> {
    return this.enter([hexOf(host), String(port)]);
  }

  async hold(name: string): Promise<HeldName | 'taken' | null> {
    try {
      const keeper = await this.enter([name]);
      return { release: () => void keeper.destroy() };
    } catch (error) {
      return error instanceof Taken ? 'taken' : null;
    }
  }

  private async enter(args: readonly string[]): Promise<net.Socket> {
    const program = findHelper();
    if (program === null) throw new Closed(notBuilt());
    const opened: number[] = [];
    const open = (file: string) => {
      const descriptor = fs.openSync(file, 'r');
      opened.push(descriptor);
      return descriptor;
    };
    try {
      const { network, user } = this.files;
      const namespaces = [open(network), ...(user === null ? [] : [open(user)])];
      if (!this.files.isAlive()) throw new Error('the process has ended');
      return await this.start(program, args, namespaces);
    } catch (error) {
      const code = codeOf(error);
      throw code === 'EACCES' || code === 'EPERM' ? new Closed(NOT_SEEN) : error;
    } finally {
      for (const descriptor of opened) fs.closeSync(descriptor);
    }
  }

  private start(program: string, args: readonly string[], namespaces: readonly number[]): Promise<net.Socket> {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...namespaces], env: {} });
    const stream = child.stdio[3];
    return new Promise((resolve, reject) => {
      child.once('error', (error) => reject(new Error(`${program} does not run: ${error.message}`)));
      const { pid } = child;
      if (pid === undefined || !(stream instanceof net.Socket)) return;
      this.helpers.add(pid);
      child.once('exit', () => this.helpers.delete(pid));
      child.unref();
      const limit = setTimeout(() => fail(new Error('its network gave no answer')), ANSWER_MS);
      const settle = () => {
        clearTimeout(limit);
        stream.off('readable', onReadable).off('end', end).off('error', fail);
      };
      const fail = (error: Error) => {
        settle();
        stream.on('error', () => undefined).destroy();
        reject(error);
      };
      const end = () => fail(new Error('the program that enters its network has ended'));
      const onReadable = () => {
        const first: Buffer | null = stream.read(1);
        if (first === null) return;
        if (first.toString('latin1') === '+') {
          settle();
          resolve(stream);
          return;
        }
        stream.unshift(first);
        const mark: Buffer | null = stream.read(MARK_BYTES);
        if (mark !== null) fail(failureOf(mark));
      };
      stream.on('readable', onReadable).on('end', end).on('error', fail);
    });
  }
}

/** The network cannot be entered, so no further attempt is made. */
class Closed extends Error {
  readonly refusal: NetworkRefusal;

  constructor(refusal: NetworkRefusal) {
    super(refusal.blocker);
    this.refusal = refusal;
  }
}

/** Another program has the name. */
class Taken extends Error {}

/** Parses `-`, the step that failed, and the number of the error. */
function failureOf(mark: Buffer): Error {
  const step = mark.toString('latin1', 1, 2);
  const number = mark[2] ?? 0;
  if ((step === 'n' || step === 'u') && number === EPERM) return new Closed(NO_RIGHT);
  if (step === 'l' && number === EADDRINUSE) return new Taken();
  if (step === 'c' && number === ECONNREFUSED) return new Error('nothing listens there any more');
  return new Error(`its network cannot be used (step ${step}, error ${number} of the kernel)`);
}

function notBuilt(): NetworkRefusal {
  return {
    blocker: `This copy of substrate was built without the program that enters the network of a container (enter-network-${process.arch}).`,
    remedy: 'Install a C compiler and run npm run build.',
    mayChange: false,
  };
}

/** The program is beside the bundle or, when run from sources, in its build folder. */
function findHelper(): string | null {
  const name = `enter-network-${process.arch}`;
  const places = [path.join(HERE, 'host', name), path.resolve(HERE, '../../../dist/host', name)];
  return places.find((file) => fs.existsSync(file)) ?? null;
}

/** The address in hex. Only `127.0.0.1` and `::1` are ever passed. */
function hexOf(host: string): string {
  if (net.isIPv6(host)) return '1'.padStart(32, '0');
  return Buffer.from(host.split('.').map(Number)).toString('hex');
}
