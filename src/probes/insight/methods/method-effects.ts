/** The effects of methods, judged by their code as far as the agent has reported it. */
import { type CodeEffect, worstEffect } from '../../../model/raw-action.ts';
import { EffectGraph } from '../effects/effect-graph.ts';
import type { Platform } from '../effects/platform.ts';
import type { MethodKey } from './method-call.ts';
import type { MethodsAnswer } from './method-facts.ts';

/** A method whose effect is asked for. */
export interface JudgedMethod {
  readonly key: MethodKey;
  readonly takesScalar: boolean;
}

/** `code`: undefined if it is not known yet, null if there is none. */
interface Unjudged {
  readonly key: MethodKey;
  readonly code: number | null | undefined;
}

export class MethodEffects {
  /** Grows with each judged method. */
  judgedCount = 0;
  private readonly graph: EffectGraph;
  /** The code of methods, by their keys. */
  private readonly code = new Map<string, number | null>();
  private readonly effects = new Map<string, CodeEffect>();
  /** Effects from before other code was loaded, valid until they are judged again. */
  private readonly before = new Map<string, CodeEffect>();
  private unjudged: readonly Unjudged[] = [];
  /** Methods of an action that a caller waits for. */
  private first: ReadonlySet<string> = new Set();

  constructor(platform: Platform) {
    this.graph = new EffectGraph(platform);
  }

  get size(): number {
    return this.graph.size;
  }

  get isSettled(): boolean {
    return this.unjudged.length === 0;
  }

  /** A caller waits for an action whose code is not known yet. */
  get isAwaited(): boolean {
    return this.awaited.length > 0;
  }

  private get awaited(): readonly Unjudged[] {
    return this.unjudged.filter(({ key }) => this.first.has(keyOf(key)));
  }

  /** Asks for their code before that of others; an empty list if no caller waits. */
  judgeFirst(methods: readonly MethodKey[]): void {
    this.first = new Set(methods.map(keyOf));
  }

  /** The code that is needed next: methods whose code is to be numbered, and the missing parts of known code. */
  question(mostMethods: number) {
    const { awaited } = this;
    const unjudged = awaited.length > 0 ? awaited : this.unjudged;
    const methods = unjudged.filter(({ code }) => code === undefined).map(({ key }) => key);
    return {
      methods: methods.slice(0, mostMethods),
      ...this.graph.missing(unjudged.flatMap(({ code }) => code ?? [])),
    };
  }

  take(answer: MethodsAnswer['code']): void {
    if (answer.isReset) {
      this.graph.forget();
      this.code.clear();
    }
    this.graph.take(answer);
    for (const [type, key, code] of answer.methods) this.code.set(keyOf([type, key]), code);
  }

  /** An effect of an earlier start. It is judged again unless the code is the same. */
  restore(key: MethodKey, effect: CodeEffect, isSameCode: boolean): void {
    (isSameCode ? this.effects : this.before).set(keyOf(key), effect);
  }

  /** Judges these as far as their code is known, and asks for the rest. */
  judge(methods: Iterable<JudgedMethod>): void {
    const open = new Map<string, Unjudged>();
    for (const { key: method, takesScalar } of methods) {
      const key = keyOf(method);
      if (this.effects.has(key) || open.has(key)) continue;
      const code = this.code.get(key);
      const effect = code === undefined ? null : this.graph.effectOf(code, takesScalar);
      if (effect === null) open.set(key, { key: method, code });
      else {
        this.effects.set(key, effect);
        this.judgedCount++;
      }
    }
    this.unjudged = [...open.values()];
  }

  /** The effect by the current code; undefined if it is not judged. */
  current(key: MethodKey): CodeEffect | undefined {
    return this.effects.get(keyOf(key));
  }

  /** Null if one of them is not judged yet. */
  worstOf(methods: readonly MethodKey[]): CodeEffect | null {
    const effects = methods.map((method) => this.effects.get(keyOf(method)) ?? this.before.get(keyOf(method)));
    return effects.every((effect) => effect !== undefined) ? worstEffect(effects) : null;
  }

  /** Code was loaded: judgements stay valid until they are made again. */
  outdate(): void {
    for (const [key, effect] of this.effects) this.before.set(key, effect);
    this.effects.clear();
    this.graph.outdate();
    this.code.clear();
  }

  forget(): void {
    for (const all of [this.code, this.effects, this.before]) all.clear();
    this.graph.forget();
    this.unjudged = [];
  }
}

const keyOf = ([type, key]: MethodKey) => `${type} ${key}`;
