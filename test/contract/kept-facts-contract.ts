/** Known facts about the code of a program are not requested again by the next daemon. Run on real programs. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import { MethodCatalog } from '../../src/probes/insight/methods/method-catalog.ts';
import type { MethodsAnswer } from '../../src/probes/insight/methods/method-facts.ts';
import type { FactsStore, ProbeDriver } from '../../src/probes/probe.ts';
import { AMPLE } from '../support/budget.ts';
import { endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';
import { full } from './probe-contract.ts';

/** As in a file. */
class MemoryStore implements FactsStore {
  text = 'null';

  load(): unknown {
    return JSON.parse(this.text);
  }

  save(facts: unknown): void {
    this.text = JSON.stringify(facts);
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The number of reported facts, except for the places of objects. */
const countFacts = (answers: readonly MethodsAnswer[]) =>
  answers.reduce(
    (sum, { methods, definitions, code }) =>
      sum + methods.length + definitions.length + code.methods.length + code.bodies.length + code.members.length,
    0,
  );

export function keptFactsContract(
  name: string,
  driver: Pick<ProbeDriver, 'attach'>,
  start: () => Promise<Target>,
): void {
  /** Captures until the actions are complete; returns those of the first capture and of the last. */
  async function attachOnce(target: Target, store: FactsStore, isDone: () => boolean) {
    const told: MethodsAnswer[] = [];
    const take = MethodCatalog.prototype.take;
    const spy = vi.spyOn(MethodCatalog.prototype, 'take').mockImplementation(function (this: MethodCatalog, answer) {
      told.push(answer);
      take.call(this, answer);
    });
    const { inspector: inspect, signal } = createHost();
    const abort = new AbortController().signal;
    const tools = {
      inspect,
      signal,
      log: silent,
      trace: NO_TRACE,
      maxKeys: 200_000,
      budget: AMPLE,
      abort,
      facts: store,
    };
    const probe = await driver.attach(target.info, tools);
    try {
      const first = (await probe.capture(full())).actions ?? [];
      let last = first;
      await until('the facts', async () => {
        last = (await probe.capture(full())).actions ?? [];
        return isDone() || null;
      });
      return { first, last, told };
    } finally {
      spy.mockRestore();
      await probe.detach();
    }
  }

  describe(`facts of ${name}`, () => {
    afterEach(endAll);

    it('are not asked for again by the next daemon, nor for the next start of the program', async () => {
      const store = new MemoryStore();
      const target = await start();
      const cold = await attachOnce(target, store, () => store.text !== 'null');
      expect(countFacts(cold.told)).toBeGreaterThan(10);
      expect(cold.last.some(({ effect }) => effect !== 'unjudged' && effect !== 'unknown')).toBe(true);

      const warm = await attachOnce(target, store, () => true);
      expect(countFacts(warm.told)).toBe(0);
      expect(warm.first).toEqual(cold.last);

      const restarted = await attachOnce(await start(), store, () => true);
      const ofMethods = restarted.told.flatMap(({ methods, definitions }) => [...methods, ...definitions]);
      expect(ofMethods).toEqual([]);
      expect(restarted.first).toEqual(cold.last);
    });

    it('are asked for again where the code is another, or the file is broken', async () => {
      const store = new MemoryStore();
      const target = await start();
      const cold = await attachOnce(target, store, () => store.text !== 'null');
      const kept = store.text;
      for (const broken of [kept.replaceAll(/"hash":"[^"]*"/g, '"hash":"other"'), '{"format":1,"types":7}', '"x"']) {
        store.text = broken;
        const again = await attachOnce(target, store, () => store.text !== broken);
        expect(countFacts(again.told)).toBeGreaterThan(10);
        expect(again.last).toEqual(cold.last);
      }
    });
  });
}
