/** The tables of the documentation, and the same as JSON. */
import fs from 'node:fs';
import path from 'node:path';
import { printTable } from '../shared/stats.ts';
import { CACHE } from './install.ts';
import type { Finding } from './measure.ts';

const count = (value: number) => value.toLocaleString('en-US');

export function printFindings(part: string, findings: readonly Finding[]): void {
  if (findings.length === 0) return;
  const tools = [...new Set(findings.map(({ tool }) => tool))].sort().reverse();
  const head = ['app, task', ...tools.flatMap((tool) => [tool, 'calls', 'characters'])];
  const tasks = [...new Set(findings.map(({ app, kind }) => `${app}, ${kind}`))].sort();
  const rows = tasks.map((task) => [
    task,
    ...tools.flatMap((tool) => {
      const found = findings.find((one) => one.tool === tool && `${one.app}, ${one.kind}` === task);
      return found === undefined
        ? ['–', '', '']
        : [found.solved ? 'yes' : '**no**', count(found.calls), count(found.characters)];
    }),
  ]);
  const sums = tools.flatMap((tool) => {
    const own = findings.filter((one) => one.tool === tool);
    const sum = (of: (one: Finding) => number) => count(own.reduce((all, one) => all + of(one), 0));
    return [
      `${own.filter(({ solved }) => solved).length} of ${own.length}`,
      sum(({ calls }) => calls),
      sum(({ characters }) => characters),
    ];
  });
  printTable(`${part}: tasks`, head, [...rows, ['all', ...sums]]);
  const troubles = findings.filter(({ solved }) => !solved);
  if (troubles.length > 0) console.log('\nNot solved:\n');
  for (const { app, kind, tool, trouble, answer } of troubles) {
    console.log(
      `- ${app}, ${kind}, ${tool}: ${oneLine(trouble ?? '')}${answer === '' ? '' : ` (said: ${oneLine(answer)})`}`,
    );
  }
}

/** Results of other apps and tools stay: one may be measured again alone. */
export function save<Result extends Measured>(part: string, results: readonly Result[]): void {
  const fresh = new Set(results.map(nameOf));
  const all = [...saved<Result>(part).filter((one) => !fresh.has(nameOf(one))), ...results];
  fs.mkdirSync(CACHE, { recursive: true });
  fs.writeFileSync(fileOf(part), `${JSON.stringify(all, null, 2)}\n`);
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 160);

export interface Measured {
  readonly app: string;
  readonly tool?: string;
}

const nameOf = ({ app, tool = '' }: Measured) => `${app} ${tool}`;

/** The last results. */
export function saved<Result>(part: string): readonly Result[] {
  return fs.existsSync(fileOf(part)) ? (JSON.parse(fs.readFileSync(fileOf(part), 'utf8')) as Result[]) : [];
}

const fileOf = (part: string) => path.join(CACHE, `${part}.json`);
