/**
 * The agent inside a Deno process: one object, made by one evaluate and held only by its object id. It does nothing
 * that needs a permission, since Deno would ask the person at the terminal for it. The daemon calls its methods; a
 * lease closes the inspector if the daemon stops calling.
 */
import { Agent } from '../../node/agent/agent.ts';
import type { AgentRequest, CaptureOptions } from '../../node/agent/protocol.ts';
import type { AgentMessage, Finding, Message } from './deno-protocol.ts';
import { RemoteReflector } from './remote-reflector.ts';

/** Globals of Deno. */
declare function addEventListener(type: 'unload', listener: () => void): void;
declare function removeEventListener(type: 'unload', listener: () => void): void;

export interface DenoAgentOptions extends CaptureOptions {
  /** URL of the main module, as the inspector names it. */
  mainUrl: string;
  /** How long without a call until an inspector that was opened for us is closed. 0 if it is not ours. */
  leaseMs: number;
}

export default function createDenoAgent(options: DenoAgentOptions): DenoAgent {
  return new DenoAgent(options);
}

class DenoAgent {
  /** Never settles; the daemon waits for it, and so notices the end of the program. */
  readonly ended = new Promise<never>(() => {});
  private readonly agent: Agent;
  private readonly reflector: RemoteReflector;
  private readonly answers: string[] = [];
  private needs: 'wanted' | 'functions' | null = null;
  private asked: object[] = [];
  /** Also referenced here: a promise that only the inspector knows may be collected. */
  private waiting: Promise<string> | null = null;
  private onMessage: ((message: string) => void) | null = null;
  private sent: AgentMessage | null = null;
  private lastCall: number;
  private readonly now: () => number;
  private readonly inNextTurn: (work: () => void) => void;
  private readonly stopLease: () => void;

  constructor(options: DenoAgentOptions) {
    const load = <Module>(name: string): Module => process.getBuiltinModule(name) as Module;
    const { performance } = load<typeof import('node:perf_hooks')>('perf_hooks');
    this.now = () => performance.now();
    const { setImmediate } = load<typeof import('node:timers')>('timers');
    this.inNextTurn = (work) => void setImmediate(work);
    this.lastCall = this.now();
    const { types } = load<typeof import('node:util')>('util');
    this.reflector = new RemoteReflector(types, (what) => {
      this.needs = what;
      this.announce();
    });
    this.agent = new Agent(options, load, {
      reflector: this.reflector,
      mainPath: mainPath(options.mainUrl),
      extension: null,
      push: null,
      heapFirst: true,
    });
    this.stopLease = options.leaseMs > 0 ? this.startLease(options.leaseMs, load) : () => {};
  }

  /** The answer comes with `next`. The app's own code must not run within a call of the inspector: Deno may crash. */
  request(text: string): void {
    this.renew();
    this.inNextTurn(() => {
      const request = JSON.parse(text) as AgentRequest;
      this.agent.answer(request).then(
        (answer) => {
          this.answers.push(answer ?? JSON.stringify({ id: request.id, error: 'the agent has gone' }));
          this.announce();
        },
        // `answer` reports failures as answers, and never rejects.
        () => undefined,
      );
    });
  }

  /** Resolves with an `AgentMessage` as soon as there is one. `received`: number of the last one that arrived. */
  next(received: number): Promise<string> | string {
    this.renew();
    if (this.sent && this.sent.number > received) return JSON.stringify(this.sent);
    this.waiting ??= new Promise((resolve) => {
      this.onMessage = resolve;
    });
    const { waiting } = this;
    this.announce();
    return waiting;
  }

  takeWanted(limit: number): object[] {
    this.asked = this.reflector.takeWanted(limit);
    return this.asked;
  }

  deliver(findings: string, objects: unknown[]): void {
    const values = this.asked;
    this.asked = [];
    this.reflector.deliver(values, JSON.parse(findings) as Finding[], objects);
  }

  /** `sources`: all scripts that may be the app's. Returns true after the last of the functions. */
  takeFunctions(functions: ArrayLike<object>, from: number, to: number, sources: string[]): boolean {
    this.renew();
    return this.reflector.takeFunctions(functions, from, to, sources);
  }

  renew(): void {
    this.lastCall = this.now();
  }

  dispose(): void {
    this.stopLease();
    this.agent.dispose();
  }

  private announce(): void {
    if (!this.onMessage) return;
    const message = this.takeMessage();
    if (!message) return;
    this.sent = { ...message, number: (this.sent?.number ?? 0) + 1 };
    const deliver = this.onMessage;
    this.onMessage = null;
    this.waiting = null;
    deliver(JSON.stringify(this.sent));
  }

  private takeMessage(): Message | null {
    if (this.needs) {
      const kind = this.needs;
      this.needs = null;
      return { kind };
    }
    return this.answers.length > 0 ? { kind: 'answers', answers: this.answers.splice(0) } : null;
  }

  private startLease(leaseMs: number, load: <Module>(name: string) => Module): () => void {
    const { setInterval, clearInterval } = load<typeof import('node:timers')>('timers');
    const inspector = load<typeof import('node:inspector')>('inspector');
    const close = () => {
      this.dispose();
      try {
        inspector.close();
      } catch {
        // Closed by somebody else.
      }
    };
    const timer = setInterval(() => {
      if (this.now() - this.lastCall >= leaseMs) close();
    }, leaseMs / 3);
    timer.unref();
    // An ending program waits for its debugger to leave, and Deno panics if it gets a request meanwhile.
    addEventListener('unload', close);
    return () => {
      clearInterval(timer);
      removeEventListener('unload', close);
    };
  }
}

/** A file is identified by its path, as in Node; other modules by their URL. */
function mainPath(url: string): string {
  if (!url.startsWith('file://')) return url;
  try {
    return decodeURIComponent(url.slice('file://'.length));
  } catch {
    // Not encoded after all.
    return url.slice('file://'.length);
  }
}
