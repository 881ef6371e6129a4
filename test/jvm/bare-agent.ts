/** The agent for Java programs without its driver: loaded by hand, and checked for leftovers. */

import fs from 'node:fs';
import path from 'node:path';
import { createHost } from '../../src/host/host.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import { connectAgent } from '../../src/probes/drivers/jvm/agent-channel.ts';
import { HotSpot, openTmpOf } from '../../src/probes/drivers/jvm/hotspot-attach.ts';
import { javaRules } from '../../src/probes/drivers/jvm/java-classes.ts';
import { FIFO_IN, FIFO_OUT, JVM_FOLDER } from '../../src/probes/drivers/jvm/jvm-folder.ts';
import { helloResult, type JvmRequest, PROTOCOL_VERSION } from '../../src/probes/drivers/jvm/protocol.ts';
import { readVmFacts, type VmFacts } from '../../src/probes/drivers/jvm/vm-facts.ts';
import type { AttachTools } from '../../src/probes/probe.ts';
import { AgentFolder } from '../../src/probes/support/agent-files/agent-folder.ts';
import { Deadline } from '../../src/probes/support/agent-files/deadline.ts';
import type { FramedChannel } from '../../src/probes/support/framed/framed-channel.ts';
import { AMPLE } from '../support/budget.ts';
import { until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist/jvm');
const host = createHost();
const tools: AttachTools = {
  inspect: host.inspector,
  signal: host.signal,
  log: { debug() {}, info() {}, warn() {}, error() {} },
  trace: NO_TRACE,
  maxKeys: 1000,
  budget: AMPLE,
  abort: new AbortController().signal,
};
const soon = () => AbortSignal.timeout(25_000);

type Channel = FramedChannel<JvmRequest>;

interface Load {
  readonly way?: 'library' | 'jar';
  readonly channel?: 'unix' | 'fifo';
  readonly build?: string;
  readonly leaseMs?: number;
  /** Replaced content of loaded files. */
  readonly files?: Readonly<Record<string, Buffer>>;
}

function factsOf(target: Target): VmFacts {
  const facts = readVmFacts(target.info, host.inspector);
  if (!facts) throw new Error('no JVM');
  return facts;
}

/** The JVM's answer to a command of its attach protocol. */
async function vmCommand(target: Target, name: string, ...args: string[]): Promise<string> {
  const hotSpot = await HotSpot.open(target.info, factsOf(target), tools);
  try {
    return (await hotSpot.command(name, ...args)).text;
  } finally {
    hotSpot.close();
  }
}

export function folderOf(target: Target): AgentFolder {
  return AgentFolder.open(JVM_FOLDER, target.info, factsOf(target).details, openTmpOf(target.info, host.inspector));
}

/** Returns the JVM's answer: `return code: 0`, or `0` from Java 9, when the agent runs. */
export async function load(target: Target, folder: AgentFolder, options: Load = {}): Promise<string> {
  const { way = 'library', channel = 'unix', build = 'tested', leaseMs } = options;
  const names = { 'agent.so': `agent-${process.arch}.so`, 'boot.jar': 'boot.jar', 'payload.jar': 'payload.jar' };
  const files = new Map(
    Object.entries(names).map(([name, made]) => [
      name,
      options.files?.[name] ?? fs.readFileSync(path.join(DIST, made)),
    ]),
  );
  folder.put(files, channel === 'fifo' ? [FIFO_IN, FIFO_OUT] : []);
  const lease = leaseMs === undefined ? '' : `;lease=${leaseMs}`;
  const args = `folder=${folder.path};channel=${channel};build=${build}${lease}`;
  const command =
    way === 'library'
      ? [`${folder.path}/agent.so`, 'true', args]
      : ['instrument', 'false', `${folder.path}/boot.jar=${args}`];
  return vmCommand(target, 'load', ...command);
}

/** Loads it and connects to it. */
export async function loadAndConnect(target: Target, folder: AgentFolder, options: Load = {}): Promise<Channel> {
  const answer = await load(target, folder, options);
  if (!/^(?:return code: )?0\n$/.test(answer)) throw new Error(`not loaded: ${answer} ${folder.reason()}`);
  folder.removeLoaded();
  return connect(folder);
}

export async function connect(folder: AgentFolder): Promise<Channel> {
  return until('the agent to listen', () => connectAgent(folder, new Deadline(0, tools.abort)));
}

export async function hello(channel: Channel) {
  const result = await helloAlone(channel);
  await sendRules(channel, result.main);
  return result;
}

export function sendRules(channel: Channel, main: string | null): Promise<unknown> {
  return channel.call({ op: 'rules', ...javaRules(main) }, soon());
}

/** Without the rules that a driver sends after it. */
export async function helloAlone(channel: Channel) {
  const request = {
    op: 'hello',
    protocol: PROTOCOL_VERSION,
    maxKeys: 1000,
    budget: AMPLE,
    jmx: true,
    swing: true,
  } as const;
  return helloResult.parse(await channel.call(request, soon()));
}

export function capture(channel: Channel, full = false): Promise<unknown> {
  return channel.call({ op: 'capture', full, deep: false }, soon());
}

/** The parts of the agent inside the program. */
export async function traces(target: Target) {
  // Classes of the payload first, then those of its loader.
  for (let round = 0; round < 2; round++) await vmCommand(target, 'jcmd', 'GC.run');
  const classes = await vmCommand(target, 'jcmd', 'VM.class_hierarchy');
  const threads = await vmCommand(target, 'jcmd', 'Thread.print');
  const maps = fs.readFileSync(`/proc/${target.pid}/maps`, 'utf8').split('\n');
  return {
    classes: classes.match(/substrate\.[\w.$]+/g) ?? [],
    threads: threads.match(/"substrate-[^"]*"/g) ?? [],
    libraries: maps.filter((line) => line.includes(' r-xp ') && line.includes('/substrate-jvm-')).length,
  };
}

/** Resolves when nothing of the agent is left but the mapped library, which a JVM never unloads. */
export async function untilGone(target: Target, folder: AgentFolder): Promise<void> {
  await until('the folder to go', () => !fs.existsSync(folder.path));
  await until('classes and threads to go', async () => {
    const { classes, threads } = await traces(target);
    return classes.length + threads.length === 0;
  });
}
