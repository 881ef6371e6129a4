/**
 * The diagnostics socket of .NET: a unix socket `dotnet-diagnostic-<pid>-<start time>-socket` in its folder for temporary
 * files. One question per connection, little endian:
 *
 *   message:  `DOTNET_IPC_V1\0`, whole length u16, command set u8, command u8, 0 u16, then what belongs to the command
 *   text:     characters with the NUL that ends it u32, UTF-16
 *   answer:   set FF; command 00: done; FF: refused, with an HRESULT u32
 *
 * The runtime does one command after the other, on one thread. What it is sent has to be right: a startup hook that is not
 * there, or has no full path, ends the program.
 */
import type { Stats } from 'node:fs';
import type net from 'node:net';
import path from 'node:path';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../../../model/process.ts';
import { NO_TRACE, type Trace } from '../../../../model/trace.ts';
import { Deadline } from '../../../support/agent-files/deadline.ts';
import { type HeldFolder, openSeenBy } from '../../../support/agent-files/held-folder.ts';
import { connectAs, type Owner } from '../../../support/owner.ts';

const MAGIC = Buffer.from('DOTNET_IPC_V1\0', 'latin1');
const HEADER_BYTES = 20;
const LENGTH_AT = 14;
const SET_AT = 16;
const COMMAND_AT = 17;
const SERVER_SET = 0xff;
const OK = 0x00;
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ANSWER_MS = 10_000;
const CHECK_MS = 50;

/** Command set and command. */
const ATTACH_PROFILER = [0x03, 0x01] as const;
const APPLY_STARTUP_HOOK = [0x04, 0x07] as const;
/** The newest first; .NET Core 3.1 has none of them. */
const PROCESS_INFO = [
  { command: [0x04, 0x08], version: 3 },
  { command: [0x04, 0x04], version: 2 },
  { command: [0x04, 0x00], version: 1 },
] as const;

/** The runtime refused the command. */
export class Refused extends Error {
  readonly hresult: number;

  constructor(hresult: number) {
    super(`0x${hresult.toString(16).padStart(8, '0')}`);
    this.hresult = hresult;
  }
}

/** The command was sent without an answer: the runtime may execute it later. */
export class Unanswered extends Error {}

export interface RuntimeInfo {
  /** `9.0.1`; null if the runtime does not say (.NET 5). */
  readonly version: string | null;
}

export function encodeMessage([set, command]: readonly [number, number], ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, HEADER_BYTES);
  if (length > 0xffff) throw new RangeError('a message has at most 65,535 bytes');
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt16LE(length, LENGTH_AT);
  header.writeUInt8(set, SET_AT);
  header.writeUInt8(command, COMMAND_AT);
  return Buffer.concat([header, ...parts]);
}

export function encodeText(text: string): Buffer {
  if (text.includes('\0')) throw new RangeError('a text ends at its first NUL');
  return Buffer.concat([encodeNumber(text.length + 1), Buffer.from(`${text}\0`, 'utf16le')]);
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** The first three parts of a GUID are little-endian numbers. */
export function encodeGuid(guid: string): Buffer {
  if (!GUID.test(guid)) throw new RangeError(`${guid} is no GUID`);
  const bytes = Buffer.from(guid.replaceAll('-', ''), 'hex');
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}

/** Null if it is incomplete so far. Throws when it is no answer, or `Refused`. */
export function parseAnswer(bytes: Buffer): Buffer | null {
  const begin = Math.min(bytes.length, MAGIC.length);
  if (!bytes.subarray(0, begin).equals(MAGIC.subarray(0, begin))) throw new Error('what came is no answer of .NET');
  if (bytes.length < HEADER_BYTES) return null;
  const length = bytes.readUInt16LE(LENGTH_AT);
  if (length < HEADER_BYTES || bytes.readUInt8(SET_AT) !== SERVER_SET)
    throw new Error('what came is no answer of .NET');
  if (bytes.length < length) return null;
  const content = bytes.subarray(HEADER_BYTES, length);
  if (bytes.readUInt8(COMMAND_AT) === OK) return content;
  if (content.length < 4) throw new Error('what came is no answer of .NET');
  throw new Refused(content.readUInt32LE(0));
}

/** `version`: that of the command. */
export function parseProcessInfo(content: Buffer, version: 1 | 2 | 3): RuntimeInfo {
  if (version === 1) return { version: null };
  // A number in version 3; pid, cookie; then command line, system, CPU, entry assembly, version of the runtime.
  let at = (version === 3 ? 4 : 0) + 8 + 16;
  let text = '';
  for (let field = 0; field < 5; field++) {
    if (at + 4 > content.length) return { version: null };
    const end = at + 4 + content.readUInt32LE(at) * 2;
    if (end > content.length) return { version: null };
    text = content.toString('utf16le', at + 4, end).replace(/\0$/, '');
    at = end;
  }
  // `9.0.1+3f2c…`: the commit follows the sign.
  return { version: /^\d+\.\d+[\w.-]*/.exec(text)?.[0] ?? null };
}

/** The socket of one process. Call `close` when done. */
export class DiagnosticsPort {
  private readonly folder: HeldFolder;
  private readonly owner: Owner;
  private readonly name: string;
  private readonly file: Stats;
  private readonly abort: AbortSignal;
  private readonly trace: Trace;
  private messages = 0;

  /** Null if the process listens on none, or its file is gone. */
  static find(
    process: ProcessInfo,
    details: ProcessDetails,
    inspect: ProcessInspector,
    abort: AbortSignal,
    trace: Trace = NO_TRACE,
  ): DiagnosticsPort | null {
    // Dead processes leave such sockets behind, and others may make some: only the process itself proves that it
    // listens.
    const bound = inspect.unixListeners(process).find((file) => isPortOf(file, details.namespacePid));
    if (bound === undefined) return null;
    const file = path.resolve(process.cwd ?? '/', bound);
    const folder = openFolder(process, path.dirname(file), inspect);
    if (!folder) return null;
    const name = path.basename(file);
    const found = folder.lookAt(name);
    if (found?.isSocket() && found.uid === details.effectiveUid)
      return new DiagnosticsPort(folder, name, found, details, abort, trace);
    folder.close();
    return null;
  }

  private constructor(
    folder: HeldFolder,
    name: string,
    file: Stats,
    { effectiveUid, effectiveGid }: ProcessDetails,
    abort: AbortSignal,
    trace: Trace,
  ) {
    this.trace = trace;
    this.folder = folder;
    this.owner = { uid: effectiveUid, gid: effectiveGid };
    this.name = name;
    this.file = file;
    this.abort = abort;
  }

  /** The time in ms at which the runtime opened it, which it does while it starts. */
  get openedAt(): number {
    return this.file.ctimeMs;
  }

  /** Null for a runtime before .NET 5. */
  async processInfo(): Promise<RuntimeInfo | null> {
    for (const { command, version } of PROCESS_INFO) {
      try {
        return parseProcessInfo(await this.ask(encodeMessage(command)), version);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
      }
    }
    return null;
  }

  /** The file must exist: see above. */
  async applyStartupHook(file: string): Promise<void> {
    if (!path.isAbsolute(file)) throw new RangeError('the path of a startup hook has to be a full one');
    await this.ask(encodeMessage(APPLY_STARTUP_HOOK, encodeText(file)));
  }

  async attachProfiler(id: string, library: string, timeoutMs: number): Promise<void> {
    const data = encodeNumber(0);
    await this.ask(encodeMessage(ATTACH_PROFILER, encodeNumber(timeoutMs), encodeGuid(id), encodeText(library), data));
  }

  close(): void {
    this.folder.close();
  }

  private async ask(message: Buffer): Promise<Buffer> {
    const { ino, dev } = this.folder.lookAt(this.name) ?? {};
    if (ino !== this.file.ino || dev !== this.file.dev)
      throw new Error('its socket for diagnostics is another one by now');
    const socket = connectAs(this.owner, { path: this.folder.at(this.name) });
    const command = `0x${message.subarray(SET_AT, COMMAND_AT + 1).toString('hex')}`;
    const step = this.trace.call(`diagnostics ${command}`, { id: ++this.messages, sent: message.length });
    try {
      const answer = await exchange(socket, message, new Deadline(ANSWER_MS, this.abort));
      step.end({ received: answer.length + HEADER_BYTES });
      return answer;
    } catch (error) {
      step.fail(error);
      throw error;
    }
  }
}

function isPortOf(file: string, pid: number): boolean {
  const [, owner] = /^dotnet-diagnostic-(\d+)-\d+-socket$/.exec(path.basename(file)) ?? [];
  return owner !== undefined && Number(owner) === pid;
}

function openFolder(process: ProcessInfo, name: string, inspect: ProcessInspector): HeldFolder | null {
  try {
    return openSeenBy(process, name, inspect);
  } catch {
    // The process may not see that folder any more: the caller reports that there is no socket.
    return null;
  }
}

function exchange(socket: net.Socket, message: Buffer, deadline: Deadline): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const timer = setInterval(() => {
      if (deadline.isOver) socket.destroy(new Unanswered(`.NET gave no answer within ${ANSWER_MS / 1000} s`));
    }, CHECK_MS);
    socket.on('error', reject);
    socket.once('close', () => {
      clearInterval(timer);
      reject(new Unanswered('.NET closed the connection'));
    });
    socket.on('data', (chunk: Buffer) => {
      try {
        received = Buffer.concat([received, chunk]);
        const answer = parseAnswer(received);
        if (answer === null) return;
        resolve(answer);
      } catch (error) {
        reject(error);
      }
      socket.destroy();
    });
    socket.write(message);
  });
}
