import { printTable } from '../../shared/stats.ts';
import type { Stated } from '../calibration.ts';
import type { FirstFinding } from './measure-first.ts';

/** The allowed distance of a stated confidence from the share of found facts. */
const TOLERANCE = 0.15;

const foundIn = ({ facts }: FirstFinding) => facts.filter(({ shown }) => shown !== null).length;
const anywhereIn = ({ facts }: FirstFinding) => facts.filter(({ anywhere }) => anywhere !== null).length;
const freshIn = ({ facts }: FirstFinding) => facts.filter(({ fresh = null }) => fresh !== null).length;
const solvedIn = ({ tasks }: FirstFinding) => tasks.filter(({ solved }) => solved).length;
const distance = (one: FirstFinding) => Math.abs(one.confidence - foundIn(one) / one.facts.length);
const sum = (findings: readonly FirstFinding[], of: (one: FirstFinding) => number) =>
  findings.reduce((all, one) => all + of(one), 0);
const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`);

export const statedIn = (one: FirstFinding): Stated => ({
  app: one.app,
  confidence: one.confidence,
  found: foundIn(one),
  facts: one.facts.length,
});

export function printFirst(title: string, findings: readonly FirstFinding[]): void {
  if (findings.length === 0) return;
  const facts = sum(findings, (one) => one.facts.length);
  const found = sum(findings, foundIn);
  const anywhere = sum(findings, anywhereIn);
  const tasks = sum(findings, (one) => one.tasks.length);
  const solved = sum(findings, solvedIn);
  const distances = findings.map(distance);
  const rows = findings.map((one) => [
    one.app,
    one.shownAs,
    one.refusal === null ? 'yes' : '**no**',
    one.secondsToState?.toFixed(1) ?? '–',
    `${one.keys.toLocaleString('en-US')} of ${one.allKeys.toLocaleString('en-US')}`,
    `${foundIn(one)}/${one.facts.length}`,
    `${anywhereIn(one)}/${one.facts.length}`,
    one.confidence.toFixed(2),
    distance(one).toFixed(2),
    one.freshConfidence === undefined ? '–' : `${freshIn(one)}/${one.facts.length} (${one.freshConfidence.toFixed(2)})`,
    `${solvedIn(one)}/${one.tasks.length}`,
  ]);
  const all = [
    'all',
    '',
    `${findings.filter(({ refusal }) => refusal === null).length} of ${findings.length}`,
    '',
    '',
    `${found}/${facts}`,
    `${anywhere}/${facts}`,
    '',
    '',
    `${sum(findings, freshIn)}/${facts}`,
    `${solved}/${tasks}`,
  ];
  const head = ['program', 'shown as', 'attached', 'seconds', 'keys', 'facts', 'all keys', 'confidence'];
  printTable(title, [...head, 'distance', 'fresh', 'tasks'], [...rows, all]);
  console.log(`\nPrograms: ${findings.map(({ app, kind }) => `${app} (${kind})`).join(', ')}.`);
  const mean = distances.reduce((one, other) => one + other, 0) / distances.length;
  const near = distances.filter((one) => one <= TOLERANCE).length;
  console.log(
    `\nFacts: ${percent(found, facts)} in the state as shown, ${percent(anywhere, facts)} with all keys. Tasks: ${percent(solved, tasks)}.`,
    `Distance of confidence from the share of facts: ${mean.toFixed(2)} on average, ${Math.max(...distances).toFixed(2)} at worst;`,
    `within ${TOLERANCE} for ${near} of ${findings.length}.`,
  );
  console.log('\nNot found (in brackets: with all keys):\n');
  for (const one of findings) {
    const lost = one.facts.filter(({ shown }) => shown === null);
    const asks = lost.map(({ ask, anywhere: other }) => (other === null ? ask : `(${ask})`));
    const troubles = one.tasks.flatMap(({ words, solved: done, trouble }) =>
      done ? [] : `"${words}" ${trouble ?? ''}`,
    );
    const said = [...(one.refusal === null ? [] : [one.refusal]), ...asks, ...troubles.map(oneLine)];
    if (said.length > 0) console.log(`- ${one.app}: ${said.join('; ')}`);
  }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 200);
