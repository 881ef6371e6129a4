/** The agent for .NET and Mono programs without its driver: loaded by hand, and checked for leftovers. */

import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createHost } from '../../src/host/host.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import { type AgentBuild, assemblyName, readAgentBuild } from '../../src/probes/drivers/clr/agent-build.ts';
import { type ClrChannel, connectAgent, prepareChannel } from '../../src/probes/drivers/clr/channel/channel.ts';
import { openClrFolder } from '../../src/probes/drivers/clr/clr-folder.ts';
import { clrRules } from '../../src/probes/drivers/clr/clr-types.ts';
import { injectCoreClr } from '../../src/probes/drivers/clr/coreclr/coreclr-inject.ts';
import type { Injection } from '../../src/probes/drivers/clr/coreclr/injection.ts';
import { findRuntime, readProgram } from '../../src/probes/drivers/clr/identity/clr-facts.ts';
import { helloResult, PROTOCOL_VERSION } from '../../src/probes/drivers/clr/protocol.ts';
import { AttachError } from '../../src/probes/probe.ts';
import type { AgentFolder } from '../../src/probes/support/agent-files/agent-folder.ts';
import { Deadline } from '../../src/probes/support/agent-files/deadline.ts';
import { AMPLE } from '../support/budget.ts';
import { until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

/** The thread that handles the next attach in a Mono program, which stays. */
const MONO_LISTENER = 'substrate-mono';
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

/** Call it after `endAll`: removes files of killed programs. */
export function removeFolders(): void {
  for (const injection of injections.values()) injection.done();
  injections.clear();
  for (const folder of folders.splice(0)) folder.remove();
}

/** Injects the agent and lets it run. `spoil` changes its files before. */
export async function load(target: Target, folder: AgentFolder, leaseMs = 0, spoil = () => {}): Promise<void> {
  // Read once: another test may build it again meanwhile.
  built ??= readAgentBuild();
  const { build, assembly } = built;
  const name = `${assemblyName(build)}.dll`;
  const prepare = () => {
    prepareChannel(folder, new Map([[name, assembly]]), leaseMs);
    spoil();
  };
  const isMono = path.basename(target.info.exe ?? '').startsWith('mono');
  if (!isMono) return injectDotnet(target, folder, built, prepare);
  prepare();
  await attachMono(target, `${folder.path}/${name}`, folder.path);
}

let built: AgentBuild | null = null;
/** Injections whose agent has not arrived yet. */
const injections = new Map<AgentFolder, Injection>();

/** Like the driver: the versions of .NET have ways in of their own. */
async function injectDotnet(
  target: Target,
  folder: AgentFolder,
  build: AgentBuild,
  prepare: () => void,
): Promise<void> {
  const details = host.inspector.details(target.info);
  const runtime = details && findRuntime(target.info, details);
  if (!details || !runtime) throw new Error('the program is gone');
  const program = readProgram(target.info, details, runtime, host.inspector);
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const tools = {
    inspect: host.inspector,
    signal: host.signal,
    log: silent,
    trace: NO_TRACE,
    maxKeys: 200_000,
    budget: AMPLE,
    abort: never,
  };
  const injected = { process: target.info, details, program, build, cpu: process.arch };
  const injection = await until('.NET to take the agent', () =>
    injectCoreClr(injected, folder, prepare, tools).catch((error: unknown) => {
      // A single-file program accepts none in its first seconds.
      if (error instanceof AttachError && error.retry) return null;
      throw error;
    }),
  );
  injections.set(folder, injection);
}

export async function loadAndConnect(target: Target, folder: AgentFolder, leaseMs = 0): Promise<ClrChannel> {
  await load(target, folder, leaseMs);
  const channel = await connect(folder);
  folder.removeLoaded();
  return channel;
}

export async function connect(folder: AgentFolder): Promise<ClrChannel> {
  const channel = await until('the agent to listen', () => {
    const reason = folder.reason();
    if (reason !== null) throw new Error(reason);
    return connectAgent(folder, new Deadline(0, never));
  });
  injections.get(folder)?.done();
  injections.delete(folder);
  return channel;
}

/** Like the driver: without the tables an assembly of .NET counts as the app's if its file is a link. */
export async function hello(channel: ClrChannel) {
  const result = await helloAlone(channel);
  await sendRules(channel, result.entry);
  return result;
}

export function sendRules(channel: ClrChannel, entry: string | null): Promise<unknown> {
  return channel.call({ op: 'rules', ...clrRules(entry) }, soon());
}

/** Without the rules that a driver sends after it. */
export async function helloAlone(channel: ClrChannel) {
  const request = { op: 'hello', protocol: PROTOCOL_VERSION, maxKeys: 200_000, budget: AMPLE, forms: false } as const;
  return helloResult.parse(await channel.call(request, soon()));
}

export function capture(channel: ClrChannel, full = false): Promise<unknown> {
  return channel.call({ op: 'capture', full, deep: false }, soon());
}

/** The parts of the agent inside the program. */
export function traces({ pid }: Target) {
  const threads = fs.readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const name = readText(`/proc/${pid}/task/${task}/comm`).trim();
    return name.startsWith('substrate') && name !== MONO_LISTENER ? [name] : [];
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

/** Resolves when nothing of the agent is left but its assembly, which a runtime never unloads. */
export async function untilGone(target: Target, folder: AgentFolder): Promise<void> {
  await until('the folder to go', () => !fs.existsSync(`/proc/${target.pid}/root${folder.path}`));
  await until('threads, files and memory to go', () => {
    const { threads, files, maps } = traces(target);
    return threads.length + files.length + maps.length === 0;
  });
}

/** Null if nobody listens at Mono's socket for attaches. */
export function sayToMono(target: Target, bytes: Buffer): Promise<true | null> {
  return send(`/proc/${target.pid}/root/tmp/mono-${os.userInfo().username}/.mono-${insidePid(target)}`, bytes);
}

/** Its pid in its own namespace. */
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
  // The socket stays open after the first attach.
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

/** Null if nobody listens. */
function send(socket: string, frame: Buffer): Promise<true | null> {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    connection.once('error', () => resolve(null));
    connection.once('close', () => resolve(true));
    connection.once('connect', () => connection.write(frame, () => connection.destroy()));
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
