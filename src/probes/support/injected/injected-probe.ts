/**
 * The common part of the probes of all injected agents: sends requests, reads the answers, and cleans up at the end.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProbeHealth } from '../../../model/health.ts';
import { ACTION_LIMIT_MS, type ActionArguments, type ActionOutcome } from '../../../model/raw-action.ts';
import { NO_TRACE, problemOf, type Trace } from '../../../model/trace.ts';
import { type DescribedTypes, describedTypes } from '../../insight/arguments/type-definition.ts';
import { SCHEME } from '../../insight/methods/choose-actions.ts';
import { KeptFacts } from '../../insight/methods/kept-facts.ts';
import type { CallQuestion, MethodCall } from '../../insight/methods/method-call.ts';
import { MethodCatalog, type RuntimeTraits } from '../../insight/methods/method-catalog.ts';
import { methodsAnswer } from '../../insight/methods/method-facts.ts';
import type { RootCatalog, RootTraits } from '../../insight/roots/root-catalog.ts';
import { UI_SCHEME } from '../../insight/screen/control-actions.ts';
import { readInput, UnusableInputError } from '../../insight/screen/user-input.ts';
import {
  type AttachTools,
  BadArgumentError,
  type Capture,
  type CaptureRequest,
  type FactsStore,
  NotDispatchedError,
  type Probe,
  TargetBusyError,
} from '../../probe.ts';
import type { AgentFolder } from '../agent-files/agent-folder.ts';
import { AgentHealth } from '../agent-health.ts';
import type { ProbeChannel } from '../framed/framed-channel.ts';
import { checkLeaves, unread } from '../leaf-check.ts';
import {
  type AgentRequest,
  type BeanCall,
  type Called,
  type CaptureResult,
  captureResult,
  invokeResult,
} from './agent-protocol.ts';
import { CaptureMerger } from './capture-merger.ts';

const DETACH_MS = 2000;
const DYING_MS = 2000;
const POLL_MS = 20;
const MAX_TITLE = 1000;
/** Limits for one capture: requests about methods, and their cost; more while somebody waits for an action. */
const MAX_QUESTIONS = 12;
const MAX_AWAITED = 60;
const ENOUGH_MS = 20;
const REFUSALS = { argument: BadArgumentError, gone: NotDispatchedError, busy: TargetBusyError } as const;

/** The differences between runtimes. */
interface ProbeTraits extends RuntimeTraits {
  readonly roots: RootTraits;
}

export interface InjectedProbeOptions {
  readonly maxKeys: number;
  /** True if the app's code is interrupted when it takes too long. */
  readonly interruptActions: boolean;
  /** Stored facts about the program's code from an earlier attach; `version`: of the agent. */
  readonly kept?: { readonly store: FactsStore; readonly version: string };
  readonly trace?: Trace;
  /** The agent's report of itself during the attach. */
  readonly health?: AgentHealth;
}

/** The options that an attach has for its probe. */
export function keptFor({ facts, trace }: AttachTools, version: string): Pick<InjectedProbeOptions, 'kept' | 'trace'> {
  return facts ? { trace, kept: { store: facts, version } } : { trace };
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
  private readonly methods: MethodCatalog;
  private readonly captures: CaptureMerger;
  protected readonly trace: Trace;
  protected readonly agentHealth: AgentHealth;
  private mustBeFull = false;
  private isDetaching = false;

  /** The probe owns `folder` from now on. */
  constructor(
    tier: string,
    traits: ProbeTraits,
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
    this.trace = options.trace ?? NO_TRACE;
    this.agentHealth = options.health ?? new AgentHealth();
    this.captures = new CaptureMerger(options.maxKeys, traits.roots, traits.values);
    const { kept } = options;
    this.methods = new MethodCatalog(
      traits,
      (shape) => this.captures.objects.find(shape),
      kept ? new KeptFacts(kept.store.load(), kept.version, traits.values) : null,
    );
    this.closed = agent.closed;
    void this.closed.then(() => this.letGo());
  }

  async capture(request: CaptureRequest): Promise<Capture> {
    try {
      const capture = await this.captureOnce(request);
      this.mustBeFull = false;
      return capture;
    } catch (error) {
      // The agent's last report may not have been applied.
      this.mustBeFull = true;
      throw error;
    }
  }

  private async captureOnce({ depth, full, signal }: CaptureRequest): Promise<Capture> {
    const merger = this.captures;
    const isFull = full || this.mustBeFull || merger.isSparse;
    let result = await this.ask(isFull, depth === 'deep', signal);
    let { costMs } = result;
    if (!merger.takeNames(result)) {
      if (!isFull) {
        result = await this.ask(true, false, signal);
        merger.takeNames(result);
        costMs += result.costMs;
      }
      this.methods.rename();
    }
    const { stoppedBy, isElsewhere = false } = result;
    if (result.hasMethodNews || !this.methods.isSettled) costMs += await this.readMethods(signal);
    const merged = merger.merge(checkLeaves(result.leaves, this.options.maxKeys, merger.objects), result, this.methods);
    const { front } = merger.screen;
    return {
      ...merged,
      context: {
        url: null,
        location: null,
        view: null,
        window_title: front?.title.slice(0, MAX_TITLE) ?? null,
        window_id: front?.name ?? null,
      },
      tier: this.tier,
      domTierUsed: false,
      costMs,
      stoppedBy,
      unseen: isElsewhere ? 'what the program keeps in another application domain or process' : null,
      suggestsHeapScan: false,
    };
  }

  private async ask(full: boolean, deep: boolean, signal: AbortSignal): Promise<CaptureResult> {
    const request = { op: 'capture', full, deep, reservedKeys: this.captures.reservedKeys } as const;
    const result = captureResult.parse(await this.agent.call(request, signal));
    this.agentHealth.take(result);
    return result;
  }

  /**
   * Each answer may show that more is needed: asks a few times, as long as a short wait is worth it. Where methods
   * cannot be listed, the state is still worth having. Returns the cost in ms of CPU time.
   */
  private async readMethods(signal: AbortSignal): Promise<number> {
    let costMs = 0;
    try {
      const isWorthIt = (asked: number) =>
        this.methods.isAwaited
          ? asked < MAX_AWAITED
          : asked < MAX_QUESTIONS && (costMs < ENOUGH_MS || !this.methods.isListed);
      for (let asked = 0; isWorthIt(asked); asked++) {
        const question = { op: 'methods', ...this.methods.question() } as const;
        const answer = methodsAnswer.parse(await this.agent.call(question, signal));
        this.methods.take(answer);
        costMs += answer.costMs;
        const { methods, members, bodies, contracts } = answer.code;
        const changes = [answer.types, answer.methods, methods, members, bodies, contracts];
        if (this.methods.isComplete || changes.every((facts) => facts.length === 0)) break;
      }
      // Methods that are still not judged would keep the others from being requested.
      this.methods.judgeFirst([]);
      const facts = this.methods.factsToKeep();
      if (facts !== null) this.options.kept?.store.save(facts);
    } catch (error) {
      if (signal.aborted || !this.agent.isOpen) throw error;
      this.trace.ignored('methods', error);
      this.agentHealth.fail('methods', `The methods of the program could not be listed: ${problemOf(error)}`);
    }
    return costMs;
  }

  judgeFirst(binding: string): void {
    const isMethod = binding.startsWith(SCHEME);
    this.methods.judgeFirst(isMethod ? this.methods.methodsOf(binding) : this.captures.operationsOf(binding));
  }

  async invoke(
    binding: string,
    args: ActionArguments,
    signal: AbortSignal,
    limitMs = ACTION_LIMIT_MS,
  ): Promise<ActionOutcome> {
    const timeoutMs = Math.max(1, Math.round(limitMs));
    const interrupt = this.options.interruptActions;
    const request = binding.startsWith(UI_SCHEME)
      ? { ...this.useOfControl(binding, args), timeoutMs }
      : ({ op: 'invoke', timeoutMs, interrupt, ...(await this.callOf(binding, args, signal)) } as const);
    const answer = await this.agent.call(request, signal);
    const result = invokeResult.parse(answer);
    if ('refused' in result) throw new REFUSALS[result.refused](sentence(result.message, Object.keys(args)));
    const { ok, message, rawReturn, context } = result;
    const outcome = {
      ok,
      message,
      rawReturn: returned(rawReturn ?? null, this.captures.objects),
      invocationContext: null,
    };
    return context === null ? outcome : { ...outcome, ...this.describeCall(message, context) };
  }

  /** The call, and the roots that its paths name. */
  private async callOf(binding: string, args: ActionArguments, signal: AbortSignal) {
    const reject = (reason: string) => new BadArgumentError(sentence(reason, Object.keys(args)));
    const call = binding.startsWith(SCHEME)
      ? await this.methodCallOf(binding, args, signal, reject)
      : await this.beanCallOf(binding, args, signal, reject);
    return { call, roots: this.captures.objects.idsIn(call) };
  }

  private async methodCallOf(
    binding: string,
    args: ActionArguments,
    signal: AbortSignal,
    reject: (reason: string) => Error,
  ): Promise<MethodCall> {
    let plan = this.methods.plan(binding, args, null);
    if (plan !== null && 'question' in plan) {
      const { paths } = plan.question;
      const { named } = await this.describe(plan.question, signal);
      plan = this.methods.plan(binding, args, new Map(paths.map((path, at) => [path, named[at] ?? null])));
    }
    if (plan !== null && 'refusal' in plan) throw reject(plan.refusal);
    if (plan === null || 'question' in plan) throw new NotDispatchedError(`There is no action ${binding}.`);
    return plan.call;
  }

  private async beanCallOf(
    binding: string,
    args: ActionArguments,
    signal: AbortSignal,
    reject: (reason: string) => Error,
  ): Promise<BeanCall> {
    const target = this.captures.beanTarget(binding);
    if (target === undefined) throw new NotDispatchedError(`There is no action ${binding}.`);
    const { beans, name, attribute, operations, isVoid } = target;
    const { bean: which, ...rest } = args;
    const single = beans.get('');
    const own = single ? args : rest;
    const wanted = typeof which === 'string' ? which : '';
    const bean = single ?? beans.get(wanted) ?? [...beans.values()].find((each) => each.name === wanted);
    if (bean === undefined) throw reject(`bean: there is no such bean among ${beans.size}`);
    let planned = this.methods.planOperation(name, operations, own);
    if (planned.isUnsure) {
      const types = operations.flatMap((each) => each.ownTypes);
      await this.describe({ methods: [], paths: [], bean: { id: bean.id, types } }, signal);
      planned = this.methods.planOperation(name, operations, own);
    }
    if ('refusal' in planned) throw reject(planned.refusal);
    const { values } = planned;
    const operation =
      attribute === null ? { name, types: operations[planned.operation]?.ownTypes ?? [], isVoid } : null;
    return { bean: bean.id, operation, attribute, values };
  }

  private async describe(question: CallQuestion, signal: AbortSignal): Promise<DescribedTypes> {
    const described = describedTypes.parse(
      await this.agent.call({ op: 'describe', ...question, roots: this.captures.objects.idsIn(question) }, signal),
    );
    this.methods.takeDefinitions(described.definitions);
    return described;
  }

  private useOfControl(binding: string, args: ActionArguments) {
    const target = this.captures.screen.targets.get(binding);
    if (!target) throw new NotDispatchedError('This control is not there any more.');
    const { operation, id: widget, called, words = null } = target;
    try {
      return { op: 'use', operation, widget, called, words, args: readInput(target, args) } as const;
    } catch (error) {
      if (!(error instanceof UnusableInputError)) throw error;
      throw new BadArgumentError(sentence(error.message, Object.keys(args)));
    }
  }

  /** Describes the method that ran. */
  protected abstract describeCall(message: string, called: Called): Partial<ActionOutcome>;

  async detach(): Promise<void> {
    this.isDetaching = true;
    const wasOpen = this.agent.isOpen;
    await this.agent.close();
    if (wasOpen) await this.folder.waitUntilLeft(DETACH_MS);
    // Another daemon may be there already.
    if (this.isAlive()) await this.folder.removeUnlessUsed();
    else await this.folder.removeRemains();
  }

  health(): ProbeHealth {
    return this.agentHealth.report;
  }

  /** Closes without a `dispose`, as a killed daemon does: the agent stays, and waits for another one. */
  abandon(): void {
    this.agent.abandon();
  }

  /** A living agent waits for another daemon; one that died with its program has left only files. */
  private async letGo(): Promise<void> {
    const deadline = performance.now() + DYING_MS;
    // A dying process closes its connections a moment before it is gone.
    while (this.isAlive()) {
      if (this.isDetaching) return;
      if (performance.now() > deadline) return this.folder.close();
      await delay(POLL_MS);
    }
    await this.folder.removeRemains();
  }
}

/** The returned value, with the paths that are shown. */
function returned(value: unknown, roots: RootCatalog): unknown {
  const shown = (leaf: unknown) => (Array.isArray(leaf) ? unread(leaf, roots) : leaf);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return shown(value);
  return Object.fromEntries(Object.entries(value).map(([key, leaf]) => [key, shown(leaf)]));
}

/** The agent gives a reason, people read a sentence. A parameter at its beginning gets the core's name for it. */
function sentence(reason: string, parameters: readonly string[]): string {
  const subject = /^[^\s.:[]+/.exec(reason)?.[0] ?? '';
  const start = parameters.includes(subject)
    ? `parameters.${reason}`
    : `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}`;
  return `${start}${/[.!?]$/.test(reason) ? '' : '.'}`;
}
