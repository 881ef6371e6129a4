/**
 * The agent: a script with a task in plain words and a tool. It knows no app. A sentence is a step: it finds the line
 * of an answer that matches the words best, and reads it, presses it, sets it or waits for it.
 */
import type { Deed, Hands, Setting } from './hands.ts';
import { type Line, type Question, questionOf, type Ranked, rank, wordsOf } from './words.ts';

export interface Claim {
  /** The agent's own belief. */
  readonly done: boolean;
  readonly answer: string;
  /** Why it gave up. */
  readonly trouble: string | null;
}

const VERBS = /^(press|open|choose|click|double-click|set|wait until)\b/i;
/** The share of the words by weight: below it, another look is worthwhile. */
const ENOUGH = 0.8;
const LOOKS = 3;
const TRIES = 2;
/** The limit of an answer: about as much as a person would quote. */
const ANSWER_LINES = 8;
const ANSWER_LENGTH = 200;

interface Step {
  readonly verb: string;
  readonly rest: string;
}

export async function solve(words: string, hands: Hands): Promise<Claim> {
  let claim: Claim = { done: false, answer: '', trouble: 'nothing was asked for' };
  const steps = (words.match(/(?:"[^"]*"|[^.?"])+[.?]/g) ?? []).map(stepOf);
  let said: readonly Line[] = [];
  // A final question may be answered even if earlier steps failed.
  const isDeed = !/\?$/.test(words);
  for (let at = 0; at < steps.length; ) {
    const step = steps[at];
    if (step === undefined) break;
    let taken = 1;
    if (step.verb === 'tell') claim = await answer(questionOf(step.rest), hands, said);
    else if (step.verb === 'wait until') claim = await wait(step.rest, hands);
    else ({ claim, taken } = await act(steps.slice(at), hands, at === 0));
    if (!claim.done && isDeed) return claim;
    said = changesIn(claim.answer);
    at += taken;
  }
  return claim;
}

function stepOf(sentence: string): Step {
  const text = sentence.trim();
  return { verb: VERBS.exec(text)?.[1]?.toLowerCase() ?? 'tell', rest: text.replace(VERBS, '') };
}

/** The reported changes of an action. */
const changesIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.includes(' -> '))
    .map((line): Line => ({ text: line, says: line, path: [], handle: null, kind: 'value' }));

async function answer(question: Question, hands: Hands, said: readonly Line[]): Promise<Claim> {
  let lines: readonly Line[] = [...said, ...(await hands.look())];
  let best = answers(lines, question);
  for (let looks = 1; looks < LOOKS && (best[0]?.coverage ?? 0) < ENOUGH; looks++) {
    const groups = rank(lines, question).filter(({ line }) => line.kind === 'group');
    const more = await hands.narrow(
      question,
      groups.map(({ line }) => line),
    );
    if (more === null) break;
    const known = new Set(lines.map(({ text }) => text));
    lines = [...lines, ...more.filter(({ text }) => !known.has(text))];
    best = answers(lines, question);
  }
  const answer = best.map(({ line }) => line.text.trim().slice(0, ANSWER_LENGTH)).join('\n');
  return { done: best.length > 0, answer, trouble: best.length > 0 ? null : 'no line has to do with it' };
}

/** The best lines that say more than the question; controls are seldom the answer. */
function answers(lines: readonly Line[], question: Question): Ranked[] {
  const asked = new Set(question.words);
  const said = new Set<string>();
  return rank(lines, question)
    .filter(({ line }) => line.kind !== 'group' && wordsOf(line.says).some((word) => !asked.has(word)))
    .map((one) => ({ ...one, score: one.score * (one.line.kind === 'value' ? 1 : 0.6) }))
    .sort((one, other) => other.score - one.score)
    .filter(({ line }) => !said.has(line.says) && said.add(line.says))
    .slice(0, ANSWER_LINES);
}

/** The first of the steps, and the following ones if one action does them all. */
async function act(steps: readonly Step[], hands: Hands, isFirst: boolean): Promise<{ claim: Claim; taken: number }> {
  const [{ verb, rest } = { verb: '', rest: '' }] = steps;
  const isSet = verb === 'set';
  const kind = isSet ? 'set' : verb === 'double-click' ? 'twice' : 'press';
  // The value is no word of its target.
  const question = questionOf(isSet ? rest.replace(/\bto "[^"]*"\.?$/, '') : rest);
  // At first the whole app is listed, later only actions that match the words.
  let lines = await hands.offers(question, !isFirst);
  const first = choose(lines, question, kind, new Set());
  if (first === null || !isSure(first, question)) lines = [...lines, ...(await hands.offers(question, isFirst))];
  const tried = new Set<string>();
  let trouble = 'nothing can be done that has to do with it';
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const offer = choose(lines, question, kind, tried);
    if (offer === null) break;
    tried.add(offer.handle ?? '');
    const { settings, taken } = isSet ? takenBy(offer, steps) : { settings: [], taken: 1 };
    const { ok, text } = await hands.act(offer, { kind, settings });
    if (ok) {
      await readBack(text, [...question.words, ...settings.flatMap(({ value }) => wordsOf(value))], question, hands);
      return { claim: { done: true, answer: text, trouble: null }, taken };
    }
    trouble = text.slice(0, 300);
  }
  return { claim: { done: false, answer: '', trouble }, taken: 1 };
}

/** A form takes the settings that follow, and the button after them if its name matches. */
function takenBy({ handle, parameters = [] }: Line, steps: readonly Step[]): { settings: Setting[]; taken: number } {
  const settings: Setting[] = [];
  for (const { verb, rest } of steps) {
    const [name, value] = questionOf(rest).quoted;
    if (verb !== 'set' || name === undefined || value === undefined) break;
    if (settings.length > 0 && (parameters.length < 2 || namedLike(name, parameters) === null)) break;
    settings.push({ name, value });
  }
  const next = steps[settings.length];
  const pressed = next?.verb === 'press' ? wordsOf(questionOf(next.rest).quoted[0] ?? '') : [];
  const called = new Set(wordsOf(handle ?? ''));
  const isPressed = parameters.length > 1 && pressed.length > 0 && pressed.every((word) => called.has(word));
  return { settings, taken: settings.length + (isPressed ? 1 : 0) };
}

/** The one of several names that shares most words with this one. */
export function namedLike(name: string, names: readonly string[]): string | null {
  const words = new Set(wordsOf(name));
  const shared = (one: string) => wordsOf(one).filter((word) => words.has(word)).length;
  const [best] = [...names].sort((one, other) => shared(other) - shared(one));
  return best !== undefined && shared(best) > 0 ? best : null;
}

/** It has all quoted words literally. */
function isSure({ text }: Line, { quoted: [main = ''] }: Question): boolean {
  const own = new Set(bare(text.replaceAll('_', ' ')).split(' '));
  return bare(main)
    .split(' ')
    .every((word) => own.has(word));
}

/** Without icons and marks. */
const bare = (name: string) => (name.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).join(' ');

/** Its own words decide; surrounding words only break ties. */
function choose(
  lines: readonly Line[],
  question: Question,
  kind: Deed['kind'],
  tried: ReadonlySet<string>,
): Line | null {
  const fits = (line: Line) => (kind === 'set' ? line.kind === 'field' : line.kind === 'offer' ? true : null);
  const [main = ''] = question.quoted;
  const wanted = new Set(wordsOf(main));
  const ranked = rank(lines, question)
    .filter(({ line }) => line.handle !== null && !tried.has(line.handle) && fits(line) !== false)
    .map(({ line, score }) => {
      const own = wordsOf(line.text);
      const hits = new Set(own.filter((word) => wanted.has(word))).size;
      const isExact = questionOf(line.text).quoted.some((name) => bare(name) === bare(main));
      const factor = (fits(line) === true ? 1 : 0.5) * (isExact ? 1.5 : 1);
      return { line, score: hits * 2 < wanted.size || hits === 0 ? 0 : score * factor };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  return ranked[0]?.line ?? null;
}

/** Checks the result once more, unless the tool has reported it. */
async function readBack(text: string, words: readonly string[], question: Question, hands: Hands): Promise<void> {
  const said = new Set(wordsOf(text));
  if (!words.some((word) => said.has(word))) await hands.narrow(question, []);
}

async function wait(sentence: string, hands: Hands): Promise<Claim> {
  const { quoted } = questionOf(sentence);
  const expected = quoted.at(-1) ?? '';
  const question = questionOf(sentence.replace(`"${expected}"`, ''));
  const lines = await hands.look();
  const isThere = lines.some(
    ({ text, kind }) => kind !== 'group' && text.toLowerCase().includes(expected.toLowerCase()),
  );
  if (isThere) return { done: true, answer: expected, trouble: null };
  const [near] = answers(lines, question);
  const done = await hands.waitFor(expected, near !== undefined && near.coverage >= ENOUGH ? near.line : null);
  return { done, answer: expected, trouble: done ? null : 'it was not seen in time' };
}
