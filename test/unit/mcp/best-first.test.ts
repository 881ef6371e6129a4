import { expect, it } from 'vitest';
import { bestFirst } from '../../../src/mcp/best-first.ts';

function sorted(names: readonly string[], ...globs: string[]): readonly string[] {
  const steps = bestFirst(names, (name) => name, globs);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

it('begins with what most of the globs mean, and keeps the order of what is alike', () => {
  const names = ['web["/examples"].add', 'web["/examples"].init', 'host.stop', 'web["/examples"].stop'];
  expect(sorted(names, '**.*stop*', '**.*examples*')).toEqual([
    'web["/examples"].stop',
    'web["/examples"].add',
    'web["/examples"].init',
    'host.stop',
  ]);
  expect(sorted(names, '**.*stop*')).toEqual(names);
});
