/** Checks whether the confidence of a state agrees with the share of the facts that users would ask for. */
import { printTable } from '../shared/stats.ts';

export interface Stated {
  readonly app: string;
  readonly confidence: number;
  /** The number of facts in the state, of those that its users would ask for. */
  readonly found: number;
  readonly facts: number;
}

/** A state with this confidence has at least this share of the facts. */
const SURE = { confidence: 0.95, share: 0.9 };
/** And none with this confidence has less than this. */
const FAIR = { confidence: 0.9, share: 0.5 };
const BANDS = [0.95, 0.9, 0.8, 0.6, 0];
const MOST_WORST = 5;

export function printCalibration(all: readonly Stated[]): void {
  if (all.length === 0) return;
  printTable('stated confidence and facts in the state', ['stated', 'apps', 'facts', 'share', 'least'], curveOf(all));
  console.log('\nFarthest apart:\n');
  for (const { app, confidence, found, facts } of worstOf(all))
    console.log(`- ${app}: ${confidence.toFixed(2)} stated, ${found} of ${facts} facts`);
  const broken = brokenBy(all);
  console.log(`\nCalibration: ${broken.length === 0 ? 'holds' : `broken. ${broken.join('. ')}`}.`);
}

export function curveOf(all: readonly Stated[]): string[][] {
  return BANDS.flatMap((from, at) => {
    const to = BANDS[at - 1] ?? Number.POSITIVE_INFINITY;
    const own = all.filter(({ confidence }) => confidence >= from && confidence < to);
    if (own.length === 0) return [];
    const name = Number.isFinite(to) ? `${from.toFixed(2)} to ${to.toFixed(2)}` : `${from.toFixed(2)} and more`;
    const sum = (of: (one: Stated) => number) => own.reduce((total, one) => total + of(one), 0);
    const [found, facts] = [sum((one) => one.found), sum((one) => one.facts)];
    const least = Math.min(...own.map(shareOf));
    return [[name, String(own.length), `${found}/${facts}`, percent(found / facts), percent(least)]];
  });
}

/** The violated rules, as sentences without a full stop. */
export function brokenBy(all: readonly Stated[]): string[] {
  const sure = all.filter(({ confidence }) => confidence >= SURE.confidence);
  const found = sure.reduce((sum, one) => sum + one.found, 0);
  const facts = sure.reduce((sum, one) => sum + one.facts, 0);
  const unsure = all.filter((one) => one.confidence >= FAIR.confidence && shareOf(one) < FAIR.share);
  return [
    ...(found < facts * SURE.share ? [`States of ${SURE.confidence} and more hold ${percent(found / facts)}`] : []),
    ...unsure.map(({ app, confidence }) => `${app} states ${confidence.toFixed(2)} with fewer than half of the facts`),
  ];
}

function worstOf(all: readonly Stated[]): Stated[] {
  const gap = (one: Stated) => Math.abs(one.confidence - shareOf(one));
  return [...all].sort((one, other) => gap(other) - gap(one)).slice(0, MOST_WORST);
}

const shareOf = ({ found, facts }: Stated) => (facts === 0 ? 1 : found / facts);
const percent = (share: number) => `${Math.round(share * 100)} %`;
