/** What the probes of all injected agents have in common: they ask, read the answers, and see to what is left at the end. */
import { setTimeout as delay } from 'node:timers/promises';
import { ACTION_LIMIT_MS, type ActionArguments, type ActionOutcome } from '../../../model/raw-action.ts';
import {
  BadArgumentError,
  type Capture,
  type CaptureRequest,
  NotDispatchedError,
  type Probe,
  TargetBusyError,
} from '../../probe.ts';
import type { AgentFolder } from '../agent-files/agent-folder.ts';
import type { ProbeChannel } from '../framed/framed-channel.ts';
import { checkLeaves } from '../leaf-check.ts';
import { type AgentRequest, type Called, captureResult, invokeResult } from './agent-protocol.ts';

const DETACH_MS = 2000;
const DYING_MS = 2000;
const POLL_MS = 20;
const REFUSALS = { argument: BadArgumentError, gone: NotDispatchedError, busy: TargetBusyError } as const;

export interface InjectedProbeOptions {
  readonly maxKeys: number;
  /** What takes too long is interrupted in the app. */
  readonly interruptActions: boolean;
}

interface AgentChannel extends ProbeChannel<AgentRequest> {
  readonly isOpen: boolean;
  abandon(): void;
}

export abstract class InjectedProbe implements Probe {
  readonly closed: Promise<void>;
  private readonly agent: AgentChannel;
  private readonly folder: AgentFolder;
  private readonly options: InjectedProbeOptions;
  private readonly isAlive: () => boolean;
  private readonly tier: string;
  private isDetaching = false;

  /** `folder` is the probe's from now on. */
  constructor(
    tier: string,
    agent: AgentChannel,
    folder: AgentFolder,
    isAlive: () => boolean,
    options: InjectedProbeOptions,
  ) {
    this.tier = tier;
    this.agent = agent;
    this.folder = folder;
    this.isAlive = isAlive;
    this.options = options;
    this.closed = agent.closed;
    void this.closed.then(() => this.letGo());
  }

  async capture({ depth, full, signal }: CaptureRequest): Promise<Capture> {
    const answer = await this.agent.call({ op: 'capture', full, deep: depth === 'deep' }, signal);
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
            isChecked: true,
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
      tier: this.tier,
      domTierUsed: false,
      rawCount: result.rawCount,
      coverage: result.coverage,
      costMs: result.costMs,
      stoppedBy: result.stoppedBy,
      lookDeeper: false,
      hints: null,
    };
  }

  async invoke(
    binding: string,
    args: ActionArguments,
    signal: AbortSignal,
    limitMs = ACTION_LIMIT_MS,
  ): Promise<ActionOutcome> {
    const timeoutMs = Math.max(1, Math.round(limitMs));
    const interrupt = this.options.interruptActions;
    const answer = await this.agent.call({ op: 'invoke', binding, args, timeoutMs, interrupt }, signal);
    const result = invokeResult.parse(answer);
    if ('refused' in result) throw new REFUSALS[result.refused](sentence(result.message, Object.keys(args)));
    const { ok, message, rawReturn, context } = result;
    const outcome = { ok, message, rawReturn: rawReturn ?? null, invocationContext: null };
    return context === null ? outcome : { ...outcome, ...this.telling(message, context) };
  }

  /** How it is told which method ran. */
  protected abstract telling(message: string, called: Called): Partial<ActionOutcome>;

  async detach(): Promise<void> {
    this.isDetaching = true;
    const wasOpen = this.agent.isOpen;
    await this.agent.close();
    if (wasOpen) await this.folder.waitUntilLeft(DETACH_MS);
    // Another daemon may be there already.
    if (this.isAlive()) await this.folder.removeUnlessUsed();
    else await this.folder.removeRemains();
  }

  /** Closes without saying goodbye, as a killed daemon does: the agent stays, and waits for another one. */
  abandon(): void {
    this.agent.abandon();
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
