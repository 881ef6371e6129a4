/** Requests facts about methods from a harness, like a probe, until nothing is left. */

import { describedTypes } from '../../src/probes/insight/arguments/type-definition.ts';
import type { CallPlan, MethodCall } from '../../src/probes/insight/methods/method-call.ts';
import { MethodCatalog, type RuntimeTraits } from '../../src/probes/insight/methods/method-catalog.ts';
import { methodsAnswer } from '../../src/probes/insight/methods/method-facts.ts';
import type { Action } from './act-answers.ts';
import { FactsRecorder } from './recorded-facts.ts';

const MAX_QUESTIONS = 3000;

export class HarnessMethods {
  readonly catalog: MethodCatalog;
  readonly recorder = new FactsRecorder();
  private readonly ask: (question: Record<string, unknown>) => Promise<unknown>;

  constructor(traits: RuntimeTraits, ask: (question: Record<string, unknown>) => Promise<unknown>) {
    this.catalog = new MethodCatalog(traits);
    this.ask = ask;
  }

  /** One request and its answer. */
  async step(): Promise<readonly Action[]> {
    const answer = methodsAnswer.parse(await this.ask({ op: 'methods', ...this.catalog.question() }));
    this.recorder.add(answer);
    this.catalog.take(answer);
    return this.catalog.actions.map(({ parameters, ...action }) => ({
      ...action,
      parameters: parameters.map(({ name, type, required, description }) => ({
        name,
        type: type === 'any' ? null : type,
        required,
        description: description ?? null,
      })),
    }));
  }

  async settled(): Promise<readonly Action[]> {
    let actions = await this.step();
    for (let asked = 0; asked < MAX_QUESTIONS; asked++) {
      const before = this.catalog.actions;
      actions = await this.step();
      if (this.catalog.isSettled && this.catalog.actions === before) return actions;
    }
    throw new Error('the facts of methods never end');
  }

  /** Like a probe. */
  async call(binding: string, args: Record<string, unknown>): Promise<MethodCall | string | null> {
    const planned = this.catalog.plan(binding, args, null);
    if (planned === null || !('question' in planned)) return resultOf(planned);
    const { question } = planned;
    const { definitions, named } = describedTypes.parse(await this.ask({ op: 'describe', ...question }));
    this.catalog.takeDefinitions(definitions);
    const objects = new Map(question.paths.map((path, at) => [path, named[at] ?? null]));
    return resultOf(this.catalog.plan(binding, args, objects));
  }
}

function resultOf(plan: CallPlan | null): MethodCall | string | null {
  if (plan === null) return null;
  if ('question' in plan) throw new Error('asked twice');
  return 'call' in plan ? plan.call : plan.refusal;
}
