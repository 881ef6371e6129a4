/** The probe of a Java program: asks the agent inside it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ActionArguments, ActionOutcome } from '../../model/raw-action.ts';
import type { AgentFolder } from '../agent-files/agent-folder.ts';
import { checkLeaves } from '../leaf-check.ts';
import { BadArgumentError, type Capture, type CaptureRequest, NotDispatchedError, type Probe } from '../probe.ts';
import type { JvmChannel } from './agent-channel.ts';
import { captureResult, invokeResult } from './protocol.ts';

const DETACH_MS = 2000;
const DYING_MS = 2000;
const POLL_MS = 20;

export interface JvmProbeOptions {
  readonly maxKeys: number;
  readonly actionTimeoutMs: number;
}

export class JvmProbe implements Probe {
  readonly closed: Promise<void>;
  private readonly channel: JvmChannel;
  private readonly folder: AgentFolder;
  private readonly options: JvmProbeOptions;
  private readonly isAlive: () => boolean;
  private isDetaching = false;

  /** `folder` is the probe's from now on. */
  constructor(channel: JvmChannel, folder: AgentFolder, isAlive: () => boolean, options: JvmProbeOptions) {
    this.channel = channel;
    this.folder = folder;
    this.isAlive = isAlive;
    this.options = options;
    this.closed = channel.closed;
    void this.closed.then(() => this.letGo());
  }

  async capture({ depth, full, signal }: CaptureRequest): Promise<Capture> {
    const answer = await this.channel.call({ op: 'capture', full, deep: depth === 'deep' }, signal);
    const result = captureResult.parse(answer);
    return {
      leaves: checkLeaves(result.leaves, this.options.maxKeys),
      roots:
        result.roots?.map(({ name, origin, label }) => ({
          name,
          origin,
          mangled: false,
          ...(label === null ? {} : { label }),
        })) ?? null,
      actions:
        result.actions?.map((action) => ({
          ...action,
          parameters: action.parameters.map(({ description, type, ...parameter }) => ({
            ...parameter,
            // Overloads differ in it: the agent chooses by the value.
            type: type ?? 'any',
            ...(description === null ? {} : { description }),
          })),
        })) ?? null,
      context: {
        url: null,
        location: null,
        view: null,
        window_title: result.windowTitle,
        window_id: result.windowId,
      },
      tier: 'jvmti',
      domTierUsed: false,
      rawCount: result.rawCount,
      coverage: result.coverage,
      lookDeeper: false,
      hints: null,
    };
  }

  async invoke(binding: string, args: ActionArguments, signal: AbortSignal): Promise<ActionOutcome> {
    const timeoutMs = this.options.actionTimeoutMs;
    const result = invokeResult.parse(await this.channel.call({ op: 'invoke', binding, args, timeoutMs }, signal));
    if ('refused' in result) {
      const why = sentence(result.message, Object.keys(args));
      throw result.refused === 'argument' ? new BadArgumentError(why) : new NotDispatchedError(why);
    }
    const { ok, message, rawReturn, context } = result;
    return { ok, message, rawReturn: rawReturn ?? null, invocationContext: context };
  }

  async detach(): Promise<void> {
    this.isDetaching = true;
    const wasOpen = this.channel.isOpen;
    await this.channel.close();
    // What the agent has not removed by then is left by one that could not.
    if (wasOpen) await this.folder.waitUntilGone(DETACH_MS);
    if (this.isAlive()) this.folder.remove();
    else await this.folder.removeRemains();
  }

  /** An agent that lives on waits for another daemon; of one that died with its program only files are left. */
  private async letGo(): Promise<void> {
    const deadline = performance.now() + DYING_MS;
    // A process that dies closes its connections a moment before it is gone.
    while (this.isAlive()) {
      if (this.isDetaching) return;
      if (performance.now() > deadline) return this.folder.close();
      await delay(POLL_MS);
    }
    await this.folder.removeRemains();
  }
}

/** The agent gives a reason, people read a sentence. A parameter that it begins with is named as the core names them. */
function sentence(reason: string, parameters: readonly string[]): string {
  const subject = /^[^\s.:[]+/.exec(reason)?.[0] ?? '';
  const start = parameters.includes(subject)
    ? `parameters.${reason}`
    : `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}`;
  return `${start}${/[.!?]$/.test(reason) ? '' : '.'}`;
}
