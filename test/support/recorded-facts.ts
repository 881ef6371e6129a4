/**
 * Recorded facts about methods from an agent, to be requested again without a program. Recorded by `RECORD_FACTS=1 npx
 * vitest run --project jvm test/jvm/act-methods.test.ts` (and `clr`).
 */
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { MethodsQuestion } from '../../src/probes/insight/methods/method-catalog.ts';
import { type MethodsAnswer, methodsAnswer } from '../../src/probes/insight/methods/method-facts.ts';

const FOLDER = path.resolve(import.meta.dirname, '../unit/probes/insight/recorded');

/** Collects all answers into one. */
export class FactsRecorder {
  private all: MethodsAnswer | null = null;

  add(answer: MethodsAnswer): void {
    if (this.all === null || answer.isReset) this.all = structuredClone(answer);
    else {
      const { all } = this;
      all.types.push(...answer.types);
      all.methods.push(...answer.methods);
      all.definitions.push(...answer.definitions);
      if (answer.places !== null) all.places = answer.places;
      if (answer.code.isReset) all.code = { isReset: false, methods: [], members: [], bodies: [], contracts: [] };
      for (const part of ['methods', 'members', 'bodies', 'contracts'] as const)
        (all.code[part] as unknown[]).push(...answer.code[part]);
    }
  }

  save(name: string): void {
    fs.mkdirSync(FOLDER, { recursive: true });
    fs.writeFileSync(path.join(FOLDER, `${name}.json.gz`), gzipSync(JSON.stringify(this.all), { level: 9 }));
  }
}

/** Answers like the agent. */
export class RecordedFacts {
  readonly all: MethodsAnswer;
  private sequence = 0;
  private readonly most: number;

  /** `most`: the number of members per answer, as by an agent with little time. */
  constructor(name: string, most = Number.POSITIVE_INFINITY) {
    this.most = most;
    const bytes = gunzipSync(fs.readFileSync(path.join(FOLDER, `${name}.json.gz`)));
    this.all = methodsAnswer.parse(JSON.parse(bytes.toString()));
  }

  answer({ types, methods, bodies, members, contracts, wantsStamp }: MethodsQuestion): MethodsAnswer {
    const { code, methods: ofTypes, ...listed } = this.all;
    const isFirst = this.sequence === 0;
    const numbered = code.methods.filter(([type, index]) => methods.some((key) => key[0] === type && key[1] === index));
    const wanted = new Set([...bodies, ...numbered.map(([, , number]) => number)]);
    const found = code.bodies.filter(({ id }) => wanted.has(id));
    // Inherited or called members come with their users.
    const ofBodies = found.flatMap(({ references }) => references);
    const named = new Set(members.length > 0 ? members.slice(0, this.most) : ofBodies.slice(0, this.most));
    for (const { id, inherited, runs } of code.members)
      if (named.has(id)) for (const each of [...inherited, ...(runs === null ? [] : [runs])]) named.add(each);
    return {
      ...listed,
      ...(isFirst ? {} : { types: [], places: null }),
      methods: ofTypes.filter(({ type }) => types.includes(type)),
      definitions: types.length === 0 ? [] : listed.definitions,
      stamp: wantsStamp ? { files: 'a', loaded: `${this.all.codeVersion}` } : null,
      sequence: ++this.sequence,
      isReset: isFirst,
      code: {
        isReset: false,
        methods: numbered,
        bodies: found,
        members: code.members.filter(({ id }) => named.has(id)),
        contracts: code.contracts.filter(({ type }) => contracts.includes(type)),
      },
    };
  }
}
