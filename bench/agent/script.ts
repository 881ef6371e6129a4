/**
 * The agent: a script that is told a task in plain words and has a tool. It knows no app. A sentence is a step: it finds
 * the line of an answer that has most to do with the words, and reads it, presses it, sets it or waits for it.
 */
import type { Deed, Hands } from './hands.ts';
import { type Line, type Question, questionOf, type Ranked, rank, wordsOf } from './words.ts';

export interface Claim {
  /** What the agent believes. */
  readonly done: boolean;
  readonly answer: string;
  /** Why it gave up. */
  readonly trouble: string | null;
}

const VERBS = /^(press|open|choose|click|double-click|set|wait until)\b/i;
/** Of the words by weight: less is worth another look. */
const ENOUGH = 0.8;
const LOOKS = 3;
const TRIES = 2;
/** Of an answer: about as much as a person would quote. */
const ANSWER_LINES = 8;
const ANSWER_LENGTH = 200;

export async function solve(words: string, hands: Hands): Promise<Claim> {
  let claim: Claim = { done: false, answer: '', trouble: 'nothing was asked for' };
  let isFirst = true;
  const sentences = words.match(/(?:"[^"]*"|[^.?"])+[.?]/g) ?? [];
  const isDeed = !/\?$/.test(words);
  for (const sentence of sentences) {
    const verb = VERBS.exec(sentence.trim())?.[1]?.toLowerCase() ?? 'tell';
    const rest = sentence.trim().replace(VERBS, '');
    if (verb === 'tell') claim = await tell(questionOf(rest), hands);
    else if (verb === 'wait until') claim = await wait(rest, hands);
    else claim = await act(rest, verb, hands, isFirst);
    // Where something is asked for in the end, it may be known without what could not be done.
    if (!claim.done && isDeed) return claim;
    isFirst = false;
  }
  return claim;
}

async function tell(question: Question, hands: Hands): Promise<Claim> {
  let lines = (await hands.look()).lines;
  let best = answers(lines, question);
  for (let looks = 1; looks < LOOKS && (best[0]?.coverage ?? 0) < ENOUGH; looks++) {
    const groups = rank(lines, question).filter(({ line }) => line.kind === 'group');
    const more = await hands.narrow(
      question,
      groups.map(({ line }) => line),
    );
    if (more === null) break;
    const known = new Set(lines.map(({ text }) => text));
    lines = [...lines, ...more.lines.filter(({ text }) => !known.has(text))];
    best = answers(lines, question);
  }
  const answer = best.map(({ line }) => line.text.trim().slice(0, ANSWER_LENGTH)).join('\n');
  return { done: best.length > 0, answer, trouble: best.length > 0 ? null : 'no line has to do with it' };
}

/** The best lines that say more than the question does. */
function answers(lines: readonly Line[], question: Question): Ranked[] {
  const asked = new Set(question.words);
  return rank(lines, question)
    .filter(({ line }) => line.kind !== 'group' && wordsOf(line.says).some((word) => !asked.has(word)))
    .slice(0, ANSWER_LINES);
}

async function act(sentence: string, verb: string, hands: Hands, isFirst: boolean): Promise<Claim> {
  const quoted = questionOf(sentence).quoted;
  const isSet = verb === 'set';
  const values = isSet ? quoted.slice(-1) : quoted.slice(1);
  // The value is no word of the place that it goes to.
  const question = questionOf(isSet ? sentence.replace(/\bto "[^"]*"\.?$/, '') : sentence);
  const deed: Deed = { kind: isSet ? 'set' : verb === 'double-click' ? 'twice' : 'press', values };
  // What a task has not yet touched is looked at as a whole first, later only what has to do with the words.
  let lines = (await hands.offers(question, !isFirst)).lines;
  const first = choose(lines, question, deed, new Set());
  if (first === null || !isSure(first, question)) {
    lines = [...lines, ...(await hands.offers(question, isFirst)).lines];
  }
  const tried = new Set<string>();
  let trouble = 'nothing can be done that has to do with it';
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const offer = choose(lines, question, deed, tried);
    if (offer === null) break;
    tried.add(offer.handle ?? '');
    const { ok, text } = await hands.act(offer, deed);
    if (ok) {
      await readBack(text, [...question.words, ...values.flatMap(wordsOf)], question, hands);
      return { done: true, answer: text, trouble: null };
    }
    trouble = text.slice(0, 300);
  }
  return { done: false, answer: '', trouble };
}

/** It has all words of what was quoted. */
function isSure({ text }: Line, { quoted: [main = ''] }: Question): boolean {
  const own = new Set(wordsOf(text));
  return wordsOf(main).every((word) => own.has(word));
}

/** Own words decide; what is near only tells equal ones apart. */
function choose(lines: readonly Line[], question: Question, deed: Deed, tried: ReadonlySet<string>): Line | null {
  const fits = (line: Line) => (deed.kind === 'set' ? line.kind === 'field' : line.kind === 'offer' ? true : null);
  const [main = ''] = question.quoted;
  const wanted = new Set(wordsOf(main));
  const ranked = rank(lines, question)
    .filter(({ line }) => line.handle !== null && !tried.has(line.handle) && fits(line) !== false)
    .map(({ line, score }) => {
      const own = wordsOf(line.text);
      const hits = new Set(own.filter((word) => wanted.has(word))).size;
      return { line, score: hits * 2 < wanted.size || hits === 0 ? 0 : score * (fits(line) === true ? 1 : 0.7) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  return ranked[0]?.line ?? null;
}

/** Whether it worked is asked for once more, unless the tool has said something about it. */
async function readBack(text: string, words: readonly string[], question: Question, hands: Hands): Promise<void> {
  const said = new Set(wordsOf(text));
  if (!words.some((word) => said.has(word))) await hands.narrow(question, []);
}

async function wait(sentence: string, hands: Hands): Promise<Claim> {
  const { quoted } = questionOf(sentence);
  const expected = quoted.at(-1) ?? '';
  const question = questionOf(sentence.replace(`"${expected}"`, ''));
  const { lines } = await hands.look();
  const isThere = lines.some(
    ({ text, kind }) => kind !== 'group' && text.toLowerCase().includes(expected.toLowerCase()),
  );
  if (isThere) return { done: true, answer: expected, trouble: null };
  const [near] = answers(lines, question);
  const done = await hands.waitFor(expected, near !== undefined && near.coverage >= ENOUGH ? near.line : null);
  return { done, answer: expected, trouble: done ? null : 'it was not seen in time' };
}
