/**
 * Loads the agent into a running .NET or Mono program, or finds the agent that an earlier daemon left there. Only the
 * agent's hello proves success: a runtime reports success even when it does nothing. Every failure undoes the earlier
 * steps.
 */
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
import { AgentHealth } from '../../support/agent-health.ts';
import { type InjectedProbeOptions, keptFor } from '../../support/injected/injected-probe.ts';
import { isStaying } from '../../support/injected/is-staying.ts';
import { isOfOtherUser } from '../../support/injected/other-user.ts';
import { isSameProgram } from '../../support/is-same-program.ts';
import { checkRoom } from '../../support/room-check.ts';
import { type AgentBuild, assemblyName, readAgentBuild } from './agent-build.ts';
import { type ClrChannel, connectAgent, findAgent, isServed, prepareChannel } from './channel/channel.ts';
import { CLR_FOLDER, hasAgent, NEW_FOLDER, openClrFolder, PARENTS } from './clr-folder.ts';
import { ClrProbe } from './clr-probe.ts';
import { clrRules } from './clr-types.ts';
import { checkCoreClr, diagnoseCoreClr, injectCoreClr } from './coreclr/coreclr-inject.ts';
import type { Injection } from './coreclr/injection.ts';
import { heapScanner } from './heap-attach.ts';
import { type ClrProgram, type ClrRuntime, findRuntime, readProgram } from './identity/clr-facts.ts';
import { checkMono, runInMono } from './mono/mono-attach.ts';
import { LIBRARY_FOLDER, removeLibraryFolder } from './native-library.ts';
import { clearPending, StillPending } from './pending.ts';
import { helloResult, PROTOCOL_VERSION } from './protocol.ts';
import { givenUp, isStopped, processGone } from './refusals.ts';

const HELLO_MS = 5000;
const CONNECT_MS = 5000;
const REPLACED_MS = 3000;
const MAX_REASON = 300;
const MONO_WAY = "Mono's attach, opened by SIGQUIT";

export interface ClrAttachOptions extends InjectedProbeOptions {
  readonly heap: boolean;
  readonly heapMaxMb: number;
  readonly forms: boolean;
}

/** The facts about the program that were checked before anything was done. */
interface Target {
  readonly process: ProcessInfo;
  readonly details: ProcessDetails;
  readonly runtime: ClrRuntime;
  readonly program: ClrProgram;
  readonly cpu: string;
  readonly build: AgentBuild;
}

export async function attachClr(process: ProcessInfo, tools: AttachTools, given: ClrAttachOptions): Promise<Probe> {
  const options = { ...given, health: new AgentHealth() };
  const target = checkProgram(process, tools.inspect);
  if (tools.abort.aborted) throw givenUp();
  const { details, build, runtime, program } = target;
  tools.trace.note('checked the program', { result: `${runtime.kind} ${program.version ?? 'of unknown version'}` });
  const claim = () =>
    traced(tools.trace, 'claim the folder for the agent', () =>
      AgentFolder.claim(() => openClrFolder(process, details, tools.inspect)),
    );
  let folder = await claim();
  try {
    let channel = await takeOver(folder, build, options, tools);
    if (channel !== null) clearPending(process);
    if (channel === 'replaced') {
      folder.remove();
      folder = await claim();
      channel = null;
    }
    channel ??= await loadAgent(target, folder, options, tools);
    folder.removeLoaded();
    removeLibraryFolder(process, details, tools.inspect);
    sweep(process, details, tools);
    const scanHeap = options.heap ? heapScanner(target, tools, options.heapMaxMb) : null;
    return new ClrProbe(
      channel,
      folder,
      () => isSameProgram(process, tools.inspect),
      { ...options, ...keptFor(tools, build.build) },
      scanHeap,
    );
  } catch (error) {
    if (error instanceof AgentBusy) {
      folder.close();
      throw folder.taken();
    }
    const isOurs = error instanceof AttachError;
    const isAlive = (isOurs || (await isStaying(process, tools.inspect))) && isSameProgram(process, tools.inspect);
    if (error instanceof StillPending && isAlive) {
      folder.close();
      throw error.reason;
    }
    if (!isAlive) await folder.removeRemains();
    // The agent came with the program in the meantime: without its folder it would never be found again.
    else if (!folder.hasPut && isServed(folder)) folder.close();
    else folder.remove();
    if (isOurs) throw isAlive || !error.retry ? error : processGone();
    if (!isAlive) throw processGone();
    const why = messageOf(error);
    throw new AttachError(`The runtime did not take the agent: ${why.slice(0, MAX_REASON)}.`, {
      retry: true,
      cause: error,
    });
  } finally {
    folder.letGo();
  }
}

/** Checks everything that rules an attach out, before anything is done. */
function checkProgram(process: ProcessInfo, inspect: ProcessInspector): Target {
  if (isOfOtherUser(process, inspect)) {
    throw new AttachError(
      'The .NET program belongs to another user, and a runtime accepts attaches only from its own user.',
      { retry: false, remedy: 'Run substrate as that user.' },
    );
  }
  const details = inspect.details(process);
  const runtime = details && findRuntime(process, details);
  if (!details || !runtime) {
    if (!inspect.isAlive(process)) throw processGone();
    throw new AttachError('This program is not a .NET program any more.', { retry: false });
  }
  if (runtime.kind === 'native-aot') {
    throw new AttachError(
      'The program was compiled ahead of time (native AOT): it has no .NET runtime inside that could load an agent.',
      { retry: false, remedy: 'Publish it without PublishAot.' },
    );
  }
  if (details.stopped) throw isStopped();
  const cpu = cpuOf(inspect.resolvePath(process, runtime.library ?? process.exe ?? ''));
  if (cpu === null) {
    throw new AttachError('The .NET program runs on a CPU for which there is no agent, or as a program of 32 bits.', {
      retry: false,
      remedy: 'Run it as one of x64 or arm64.',
    });
  }
  const build = readAgentBuild();
  const program = readProgram(process, details, runtime, inspect);
  // A running agent needs nothing of the runtime any more.
  if (!hasAgent(process, details, inspect)) {
    checkRoom(details);
    if (runtime.kind === 'coreclr') checkCoreClr(process, program, inspect);
  }
  return { process, details, runtime, program, cpu, build };
}

/** Makes the checks that an attach makes before it touches the program. */
export function diagnoseClr(process: ProcessInfo, { inspect }: DiagnoseTools): Promise<Diagnosis> {
  const details = inspect.details(process);
  const isMono = details && findRuntime(process, details)?.kind === 'mono';
  return diagnosed(isMono ? MONO_WAY : 'diagnostics socket', () => {
    const target = checkProgram(process, inspect);
    if (hasAgent(process, target.details, inspect)) return 'the agent of substrate that is in it already';
    if (target.runtime.kind !== 'mono') return diagnoseCoreClr(target, inspect);
    checkMono(process, inspect);
    return MONO_WAY;
  });
}

/**
 * Connects to the agent of an earlier daemon if it has the same build; another build is ended. Null if there is none.
 */
async function takeOver(
  folder: AgentFolder,
  { build }: AgentBuild,
  options: ClrAttachOptions,
  tools: AttachTools,
): Promise<ClrChannel | 'replaced' | null> {
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
    if (tools.abort.aborted) {
      channel.abandon();
      throw new StillPending(givenUp());
    }
    tools.trace.ignored('the agent of an earlier attach does not answer', error);
  }
  await channel.close();
  await folder.waitUntilLeft(REPLACED_MS);
  return 'replaced';
}

async function greet(
  channel: ClrChannel,
  { maxKeys, forms, health }: ClrAttachOptions,
  { abort, budget, trace }: AttachTools,
) {
  const request = { op: 'hello', protocol: PROTOCOL_VERSION, maxKeys, budget, forms } as const;
  const signal = AbortSignal.any([abort, AbortSignal.timeout(HELLO_MS)]);
  const exchange = async () => {
    const hello = helloResult.parse(await channel.call(request, signal));
    health?.take(hello);
    await channel.call({ op: 'rules', ...clrRules(hello.entry) }, signal);
    return hello;
  };
  return traced(trace, 'hello', exchange, ({ framework }) => ({ result: framework }));
}

async function loadAgent(
  target: Target,
  folder: AgentFolder,
  options: ClrAttachOptions,
  tools: AttachTools,
): Promise<ClrChannel> {
  const injection = await traced(tools.trace, 'have the agent loaded', () => inject(target, folder, tools));
  try {
    const deadline = new Deadline(CONNECT_MS, injection.needsFiles ? new AbortController().signal : tools.abort);
    const limit = {
      get isOver() {
        return deadline.isOver || !isSameProgram(target.process, tools.inspect);
      },
    };
    const connect = () => connectAgent(folder, limit, tools.trace);
    const channel = await traced(tools.trace, 'wait for the agent', connect);
    if (!channel) {
      // The program may have opened its socket and ended before a connection was possible.
      if (!isSameProgram(target.process, tools.inspect)) throw processGone();
      const reason = tools.abort.aborted ? givenUp() : injection.failed();
      throw injection.needsFiles && folder.reason() === null ? new StillPending(reason) : reason;
    }
    clearPending(target.process);
    try {
      await greet(channel, options, tools);
      return channel;
    } catch (error) {
      await channel.close();
      throw tools.abort.aborted ? givenUp() : error;
    }
  } finally {
    injection.done();
  }
}

function inject(target: Target, folder: AgentFolder, tools: AttachTools): Promise<Injection> {
  const { process, runtime, build } = target;
  if (tools.abort.aborted) throw givenUp();
  const assembly = `${assemblyName(build.build)}.dll`;
  const prepare = () => prepareChannel(folder, new Map([[assembly, build.assembly]]));
  if (runtime.kind === 'mono') return runInMono(process, `${folder.path}/${assembly}`, folder.path, prepare, tools);
  return injectCoreClr(target, folder, prepare, tools);
}

/** Removes files that other daemons left in the program's own folders. */
function sweep(process: ProcessInfo, { effectiveUid }: ProcessDetails, { inspect }: AttachTools): void {
  for (const kind of [CLR_FOLDER, NEW_FOLDER, LIBRARY_FOLDER])
    for (const parent of PARENTS)
      void sweepFolders(kind, () => openSeenBy(process, parent, inspect), effectiveUid, inspect);
}
