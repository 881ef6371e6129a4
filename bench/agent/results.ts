/** The tables, as the pages of the documentation have them, and the same as JSON. */
import fs from 'node:fs';
import path from 'node:path';
import { printTable } from '../shared/stats.ts';
import { CACHE } from './install.ts';
import type { Finding } from './measure.ts';

const count = (value: number) => value.toLocaleString('en-US');

export function printFindings(part: string, findings: readonly Finding[]): void {
  save(part, findings);
  const tools = [...new Set(findings.map(({ tool }) => tool))];
  const head = ['app, task', ...tools.flatMap((tool) => [tool, 'calls', 'characters'])];
  const tasks = [...new Set(findings.map(({ app, kind }) => `${app}, ${kind}`))];
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
      `- ${app}, ${kind}, ${tool}: ${trouble}${answer === '' ? '' : ` (said: ${JSON.stringify(answer.slice(0, 120))})`}`,
    );
  }
}

export function save(part: string, results: unknown): void {
  fs.mkdirSync(CACHE, { recursive: true });
  fs.writeFileSync(path.join(CACHE, `${part}.json`), `${JSON.stringify(results, null, 2)}\n`);
}
