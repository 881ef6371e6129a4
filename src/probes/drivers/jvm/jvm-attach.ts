/**
 * Loads the agent into a running JVM, or finds the agent that an earlier daemon left there. The native library comes
 * first, because it needs nothing of the program; where it cannot be loaded, a Java agent follows. Every failure undoes
 * the earlier steps.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../../model/failure.ts';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../../model/process.ts';
import { traced } from '../../../model/trace.ts';
import {
  AttachError,
  type AttachTools,
  type DiagnoseTools,
  type Diagnosis,
  diagnosed,
  type Probe,
} from '../../probe.ts';
import { AgentFolder, sweepFolders } from '../../support/agent-files/agent-folder.ts';
import { cpuOf } from '../../support/agent-files/built-files.ts';
import { Deadline } from '../../support/agent-files/deadline.ts';
import { openSeenBy } from '../../support/agent-files/held-folder.ts';
import { AgentBusy } from '../../support/agent-files/lock.ts';
import { isNoExec } from '../../support/agent-files/mounts.ts';
import { AgentHealth } from '../../support/agent-health.ts';
import { type InjectedProbeOptions, keptFor } from '../../support/injected/injected-probe.ts';
import { isStaying } from '../../support/injected/is-staying.ts';
import { isOfOtherUser } from '../../support/injected/other-user.ts';
import { isSameProgram } from '../../support/is-same-program.ts';
import { checkRoom } from '../../support/room-check.ts';
import { type AgentBuild, readAgentBuild } from './agent-build.ts';
import { connectAgent, findAgent, type JvmChannel } from './agent-channel.ts';
import type { AttachAnswer } from './attach-protocol.ts';
import { DIRECTIVE, DIRECTIVE_FILE, spareSecondCompiler } from './compiler-directive.ts';
import { checkHotSpot, givenUp, HotSpot, openTmpOf, processGone, reasonOf } from './hotspot-attach.ts';
import { majorVersion } from './hsperfdata.ts';
import { javaRules } from './java-classes.ts';
import { FIFO_IN, FIFO_OUT, JVM_FOLDER, SOCKET, TMP } from './jvm-folder.ts';
import { JvmProbe } from './jvm-probe.ts';
import { helloResult, PROTOCOL_VERSION } from './protocol.ts';
import { forbidsAgents, hasModule, readVmFacts, type VmFacts } from './vm-facts.ts';

/** The first Java version with unix sockets. */
const UNIX_SOCKETS = 16;
const HELLO_MS = 5000;
const CONNECT_MS = 5000;
/** A JVM that has just started refuses agents for a moment. */
const EARLY_ATTEMPTS = 8;
const EARLY_PAUSE_MS = 100;
const MAX_REASON = 300;

/** Exit codes of the native agent; attach.c has the list. */
const NO_LOADER = 13;
const NO_BOOT_CLASS = 14;
const NATIVE_REASONS: ReadonlyMap<number, string> = new Map([
  [11, 'the JVM gave no JNI environment'],
  [12, 'the JVM gave no JVMTI environment'],
  [NO_LOADER, 'no class loader could be made'],
  [NO_BOOT_CLASS, 'the JVM refused its classes'],
  [15, 'the JVM refused its native methods'],
  [16, 'it could not start'],
  [17, 'it could not start'],
]);

export interface JvmAttachOptions extends InjectedProbeOptions {
  readonly jmx: boolean;
  readonly swing: boolean;
}

/** The JVM was given the path of the jar, and may open it at any time. */
class JarUnanswered extends Error {}

const WAY = 'attach socket of HotSpot, opened by SIGQUIT';

/** Makes the checks that an attach makes before it touches the program. */
export function diagnoseJvm(process: ProcessInfo, { inspect }: DiagnoseTools): Promise<Diagnosis> {
  return diagnosed(WAY, () => {
    const { facts } = checkProgram(process, inspect);
    const tmp = openTmpOf(process, inspect);
    try {
      AgentFolder.checkPlace(JVM_FOLDER, process, facts.details, tmp);
      const isThere = (name: string) => AgentFolder.has(JVM_FOLDER, process, facts.details, tmp, name);
      if ([SOCKET, FIFO_IN].some(isThere)) return 'the agent of substrate that is in it already';
      return checkHotSpot(process, inspect, tmp) === 'open' ? 'attach socket of HotSpot, which is open' : WAY;
    } finally {
      tmp.close();
    }
  });
}

/** Checks everything about the program that rules an attach out, before anything is done. */
function checkProgram(process: ProcessInfo, inspect: ProcessInspector): { facts: VmFacts; build: AgentBuild } {
  if (isOfOtherUser(process, inspect)) {
    throw new AttachError(
      'The Java program belongs to another user, and a JVM accepts attaches only from its own user.',
      { retry: false, remedy: 'Run substrate as that user.' },
    );
  }
  const facts = readVmFacts(process, inspect);
  if (!facts) {
    if (!inspect.isAlive(process)) throw processGone();
    throw new AttachError('This program is not a Java program any more.', { retry: false });
  }
  if (facts.isOpenJ9) {
    throw new AttachError('The Java program runs on Eclipse OpenJ9, for which this version has no probe.', {
      retry: false,
      remedy: 'Run it on a JVM with HotSpot, such as OpenJDK.',
    });
  }
  if (forbidsAgents(facts)) throw agentsForbidden();
  return { facts, build: readAgentBuild() };
}

function agentsForbidden(): AttachError {
  return new AttachError('The JVM forbids agents: it was started with -XX:-EnableDynamicAgentLoading.', {
    retry: false,
    remedy: 'Start it without that option.',
  });
}

export async function attachJvm(process: ProcessInfo, tools: AttachTools, options: JvmAttachOptions): Promise<Probe> {
  const { facts, build } = checkProgram(process, tools.inspect);
  const { trace } = tools;
  const health = new AgentHealth();
  trace.note('checked the JVM', { result: `Java ${facts.version ?? 'of unknown version'}` });
  const claim = () => AgentFolder.claim(() => openJvmFolder(process, facts.details, tools.inspect));
  const folder = await traced(trace, 'claim the folder for the agent', claim);
  try {
    const channel =
      (await takeOver(folder, build, { ...options, health }, tools)) ??
      (await loadAgent(process, facts, folder, build, { ...options, health }, tools));
    folder.removeLoaded();
    const { effectiveUid } = facts.details;
    void sweepFolders(JVM_FOLDER, () => openSeenBy(process, TMP, tools.inspect), effectiveUid, tools.inspect);
    return new JvmProbe(channel, folder, () => isSameProgram(process, tools.inspect), {
      ...options,
      ...keptFor(tools, build.build),
      health,
    });
  } catch (error) {
    if (error instanceof AgentBusy) {
      folder.close();
      throw folder.taken();
    }
    const isOurs = error instanceof AttachError;
    const isAlive = (isOurs || (await isStaying(process, tools.inspect))) && isSameProgram(process, tools.inspect);
    if (isAlive) {
      // A JVM that opens the jar later and does not find it would complain on the app's output.
      if (error instanceof JarUnanswered) folder.close();
      else folder.remove();
    } else await folder.removeRemains();
    if (isOurs) throw error;
    if (!isAlive) throw processGone();
    const why = messageOf(error);
    throw new AttachError(`The JVM did not take the agent: ${why.slice(0, MAX_REASON)}.`, {
      retry: true,
      cause: error,
    });
  } finally {
    folder.letGo();
  }
}

function openJvmFolder(process: ProcessInfo, details: ProcessDetails, inspect: ProcessInspector): AgentFolder {
  const tmp = openTmpOf(process, inspect);
  try {
    return AgentFolder.open(JVM_FOLDER, process, details, tmp);
  } catch (error) {
    tmp.close();
    throw error;
  }
}

/**
 * Connects to the agent of an earlier daemon if it has the same build; another build is replaced when the new agent is
 * loaded.
 */
async function takeOver(
  folder: AgentFolder,
  { build }: AgentBuild,
  options: JvmAttachOptions,
  tools: AttachTools,
): Promise<JvmChannel | null> {
  const channel = await findAgent(folder, tools.abort, tools.trace);
  if (!channel) return null;
  try {
    const hello = await greet(channel, options, tools);
    if (hello.protocol === PROTOCOL_VERSION && hello.build === build) {
      tools.log.debug({ folder: folder.path }, 'found the agent of an earlier attach');
      tools.trace.note('found the agent of an earlier attach');
      return channel;
    }
  } catch (error) {
    if (error instanceof AgentBusy) {
      channel.abandon();
      throw error;
    }
    // An agent that does not answer is replaced, too.
    tools.trace.ignored('the agent of an earlier attach does not answer', error);
  }
  channel.abandon();
  await channel.closed;
  return null;
}

async function greet(
  channel: JvmChannel,
  { maxKeys, jmx, swing, health }: JvmAttachOptions,
  { abort, budget, trace }: AttachTools,
) {
  const request = { op: 'hello', protocol: PROTOCOL_VERSION, maxKeys, budget, jmx, swing } as const;
  const signal = AbortSignal.any([abort, AbortSignal.timeout(HELLO_MS)]);
  const exchange = async () => {
    const hello = helloResult.parse(await channel.call(request, signal));
    health?.take(hello);
    await channel.call({ op: 'rules', ...javaRules(hello.main) }, signal);
    return hello;
  };
  try {
    return await traced(trace, 'hello', exchange, ({ java, native }) => ({
      result: `Java ${java}, ${native ? 'with' : 'without'} the native library`,
    }));
  } catch (error) {
    throw error instanceof Error && error.message === 'busy' ? new AgentBusy() : error;
  }
}

async function loadAgent(
  process: ProcessInfo,
  facts: VmFacts,
  folder: AgentFolder,
  build: AgentBuild,
  options: JvmAttachOptions,
  tools: AttachTools,
): Promise<JvmChannel> {
  if (tools.abort.aborted) throw givenUp();
  checkRoom(facts.details);
  const hotSpot = await traced(tools.trace, 'open the attach socket', () => HotSpot.open(process, facts, tools));
  try {
    const version = facts.version ?? (await askVersion(hotSpot));
    const needsFifos = version < UNIX_SOCKETS;
    const library = libraryFor(process, facts, folder, build, tools);
    const libraryName = `${build.build}.so`;
    const files = new Map([
      ['payload.jar', build.payload],
      ['boot.jar', build.bootJar],
      [DIRECTIVE_FILE, DIRECTIVE],
    ]);
    if (library) files.set(libraryName, library);
    folder.put(files, needsFifos ? [FIFO_IN, FIFO_OUT] : []);
    await spareSecondCompiler(hotSpot, version, folder.path);
    const args = `folder=${folder.path};channel=${needsFifos ? 'fifo' : 'unix'};build=${build.build}`;
    const loadNative = () => hotSpot.command('load', `${folder.path}/${libraryName}`, 'true', args);
    const loadJar = () =>
      hotSpot.command('load', 'instrument', 'false', `${folder.path}/boot.jar=${args}`).catch((error: unknown) => {
        throw new JarUnanswered(reasonOf(error), { cause: error });
      });
    const native = library
      ? await load(loadNative, folder, tools)
      : { isLoaded: false, reason: 'no library for its CPU' };
    if (!native.isLoaded) {
      tools.log.debug({ reason: native.reason }, 'the native agent was not loaded');
      options.health?.fail('native', `The native library was not loaded: ${native.reason}.`);
      tools.trace.note('the native agent was not loaded', { result: native.reason });
      const canTakeJar =
        hasModule(process, facts, tools.inspect, 'java.instrument') !== false &&
        folder.isSeenBy(process, 'boot.jar', tools.inspect);
      const jar = canTakeJar ? await load(loadJar, folder, tools) : native;
      if (!jar.isLoaded) throw new Error(jar.reason);
    }
  } finally {
    hotSpot.close();
  }
  const connect = () => connectAgent(folder, new Deadline(CONNECT_MS, tools.abort), tools.trace);
  const channel = await traced(tools.trace, 'wait for the agent', connect);
  if (!channel) throw new Error(folder.reason() ?? 'its agent does not listen');
  try {
    await greet(channel, options, tools);
    return channel;
  } catch (error) {
    await channel.close();
    throw error instanceof Error && error.name === 'TimeoutError' ? notGreeted() : error;
  }
}

function notGreeted(): AttachError {
  return new AttachError(`The agent in the JVM did not answer its hello within ${HELLO_MS / 1000} s.`, {
    retry: true,
    remedy: 'It is tried again later.',
  });
}

async function askVersion(hotSpot: HotSpot): Promise<number> {
  const { text } = await hotSpot.command('jcmd', 'VM.version');
  return majorVersion(/^JDK ([\d.]+)/m.exec(text)?.[1] ?? /version ([\d.]+)/.exec(text)?.[1] ?? '') ?? 8;
}

/**
 * Null if the library could not be loaded. It is not tried then, because the JVM would write about the failure to the
 * app's output.
 */
function libraryFor(
  process: ProcessInfo,
  facts: VmFacts,
  folder: AgentFolder,
  build: AgentBuild,
  { inspect }: AttachTools,
): Buffer | null {
  if (isNoExec(inspect.kernelFile(process, 'mountinfo') ?? '', folder.path)) return null;
  const cpu = cpuOf(inspect.resolvePath(process, facts.library));
  return cpu === null ? null : build.library(cpu);
}

type Loaded = { readonly isLoaded: true } | { readonly isLoaded: false; readonly reason: string };

async function load(
  command: () => Promise<AttachAnswer>,
  folder: AgentFolder,
  { abort }: AttachTools,
): Promise<Loaded> {
  for (let attempt = 1; ; attempt++) {
    const answer = readLoadAnswer(await command());
    if (answer === null) return { isLoaded: true };
    if (/Dynamic agent loading is not enabled/i.test(answer.text)) throw agentsForbidden();
    const said = folder.reason();
    // The agent itself ran and reported why it ended: the other way of loading would fail in the same way.
    if (said !== null) throw new AttachError(`The agent could not start inside the JVM: ${said}.`, { retry: true });
    if (!answer.isEarly || attempt === EARLY_ATTEMPTS || abort.aborted) return { isLoaded: false, reason: answer.text };
    await delay(EARLY_PAUSE_MS);
  }
}

/** Null if the agent is loaded. Answers differ by version: `0`, `return code: 0`, or only a text about a failure. */
export function readLoadAnswer({ status, text }: AttachAnswer): { text: string; isEarly: boolean } | null {
  const code = /^(?:return code: )?(-?\d+)\s*$/.exec(text)?.[1];
  if (status === 0 && code === '0') return null;
  const known = NATIVE_REASONS.get(Number(code));
  const words = known ?? (text.trim().split('\n')[0] || `status ${status}`).slice(0, MAX_REASON);
  const isEarly = [NO_LOADER, NO_BOOT_CLASS].includes(Number(code)) || /NullPointerException/.test(text);
  return { text: words, isEarly };
}
