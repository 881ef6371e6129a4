/** The agent for .NET and Mono programs without its driver: loaded by hand, and asked what is left of it. */
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createHost } from '../../src/host/host.ts';
import type { AgentFolder } from '../../src/probes/agent-files/agent-folder.ts';
import { Patience } from '../../src/probes/agent-files/patience.ts';
import { type ClrChannel, connectAgent, prepareChannel } from '../../src/probes/clr/channel.ts';
import { openClrFolder } from '../../src/probes/clr/clr-folder.ts';
import { helloResult, PROTOCOL_VERSION } from '../../src/probes/clr/protocol.ts';
import { until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist/clr');
/** The thread that takes the next attach in a Mono program, which stays. */
const DOOR = 'substrate-door';
const host = createHost();
const never = new AbortController().signal;
const soon = () => AbortSignal.timeout(25_000);

export function folderOf(target: Target): AgentFolder {
  const details = host.inspector.details(target.info);
  if (!details) throw new Error('the program is gone');
  const folder = openClrFolder(target.info, details, host.inspector);
  folders.push(folder);
  return folder;
}

const folders: AgentFolder[] = [];

/** After `endAll`: what programs leave that are killed while nobody is there who would remove it. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) folder.remove();
}

/** Puts the agent into the program and lets it run there. `spoil`: what is done to its files before. */
export async function load(target: Target, folder: AgentFolder, leaseMs = 0, spoil = () => {}): Promise<void> {
  const { name, bytes } = builtAgent();
  prepareChannel(folder, new Map([[name, bytes]]), leaseMs);
  spoil();
  const assembly = `${folder.path}/${name}`;
  const isMono = path.basename(target.info.exe ?? '').startsWith('mono');
  await (isMono ? attachMono(target, assembly, folder.path) : applyHook(target, assembly));
}

let built: { name: string; bytes: Buffer } | null = null;

/** Read once: another test may build it again meanwhile. */
function builtAgent() {
  const name = built?.name ?? fs.readdirSync(DIST).find((file) => file.endsWith('.dll'));
  if (name === undefined) throw new Error('the agent is not built');
  built ??= { name, bytes: fs.readFileSync(path.join(DIST, name)) };
  return built;
}

export async function loadAndConnect(target: Target, folder: AgentFolder, leaseMs = 0): Promise<ClrChannel> {
  await load(target, folder, leaseMs);
  const channel = await connect(folder);
  folder.removeLoaded();
  return channel;
}

export async function connect(folder: AgentFolder): Promise<ClrChannel> {
  return until('the agent to listen', () => {
    const reason = folder.reason();
    if (reason !== null) throw new Error(reason);
    return connectAgent(folder, new Patience(0, never));
  });
}

export async function hello(channel: ClrChannel) {
  const request = { op: 'hello', protocol: PROTOCOL_VERSION, maxKeys: 200_000, forms: false } as const;
  return helloResult.parse(await channel.call(request, soon()));
}

export function capture(channel: ClrChannel, full = false): Promise<unknown> {
  return channel.call({ op: 'capture', full, deep: false }, soon());
}

/** What of the agent is inside the program. */
export function traces({ pid }: Target) {
  const threads = fs.readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const name = readText(`/proc/${pid}/task/${task}/comm`).trim();
    return name.startsWith('substrate') && name !== DOOR ? [name] : [];
  });
  const files = fs.readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    const file = readLink(`/proc/${pid}/fd/${descriptor}`);
    return file.includes('/substrate-clr-') && !file.includes('.dll') ? [file] : [];
  });
  const maps = readText(`/proc/${pid}/maps`)
    .split('\n')
    .filter((line) => /\/chan\b/.test(line));
  return { threads, files, maps };
}

/** Resolves when nothing of the agent is left but its assembly, which a runtime never lets go of. */
export async function untilGone(target: Target, folder: AgentFolder): Promise<void> {
  await until('the folder to go', () => !fs.existsSync(`/proc/${target.pid}/root${folder.path}`));
  await until('threads, files and memory to go', () => {
    const { threads, files, maps } = traces(target);
    return threads.length + files.length + maps.length === 0;
  });
}

/** Null: nobody listens at Mono's socket for attaches. */
export function sayToMono(target: Target, bytes: Buffer): Promise<true | null> {
  return send(`/proc/${target.pid}/root/tmp/mono-${os.userInfo().username}/.mono-${insidePid(target)}`, bytes, false);
}

/** Its number in its own namespace. */
function insidePid({ pid, info }: Target): number {
  return host.inspector.details(info)?.namespacePid ?? pid;
}

async function attachMono(target: Target, assembly: string, argument: string): Promise<void> {
  const strings = ['attach', assembly, argument].map((text) =>
    Buffer.concat([Buffer.from([18, Buffer.byteLength(text)]), Buffer.from(`${text}\0`)]),
  );
  const body = Buffer.concat(strings);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  const frame = Buffer.concat([Buffer.from('MONO\x01\0', 'latin1'), length, body]);
  // The door stays open after the first attach.
  if (await sayToMono(target, frame)) return;
  const trigger = `/proc/${target.pid}/root/tmp/.mono_attach_pid${insidePid(target)}`;
  fs.writeFileSync(trigger, '');
  try {
    process.kill(target.pid, 'SIGQUIT');
    await until('Mono to take the agent', () => sayToMono(target, frame));
  } finally {
    fs.rmSync(trigger, { force: true });
  }
}

async function applyHook(target: Target, assembly: string): Promise<void> {
  const text = Buffer.from(`${assembly}\0`, 'utf16le');
  const frame = Buffer.alloc(24 + text.length);
  frame.write('DOTNET_IPC_V1\0', 'latin1');
  frame.writeUInt16LE(frame.length, 14);
  frame.set([4, 7], 16);
  frame.writeUInt32LE(text.length / 2, 20);
  text.copy(frame, 24);
  const socket = `/proc/${target.pid}/root/tmp/dotnet-diagnostic-${insidePid(target)}-${target.info.startTime}-socket`;
  if (!(await until('.NET to take the hook', () => send(socket, frame, true)))) throw new Error('no hook');
}

/** Null: nobody listens. */
function send(socket: string, frame: Buffer, awaitsAnswer: boolean): Promise<true | null> {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    connection.once('error', () => resolve(null));
    connection.once('data', () => connection.destroy());
    connection.once('close', () => resolve(true));
    connection.once('connect', () => connection.write(frame, () => awaitsAnswer || connection.destroy()));
  });
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function readLink(file: string): string {
  try {
    return fs.readlinkSync(file);
  } catch {
    return '';
  }
}
