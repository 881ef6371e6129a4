import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';

const gateSays = (text: string) => `plan.findOne('#gate').text().includes('${text}')`;

/** Everything is drawn on a canvas. */
export const konva: App = {
  name: 'konva',
  packages: { dependencies: { konva: '10.9.1' } },
  start: (place) => startServer('konva', place),
  ready: ({ evaluate }) => evaluate(gateSays('open')),
  page: '/',
  tasks: [
    { kind: 'read', words: 'At which pier is the "Gannet"?', check: says('west-1') },
    { kind: 'act', words: 'Press "Close the gate".', check: ({ evaluate }) => evaluate(gateSays('closed')) },
    {
      kind: 'wait',
      words: 'Wait until the gate says "under repair".',
      event: ({ evaluate }) => evaluate(`void plan.findOne('#gate').text('The lock gate is under repair')`),
      check: ({ evaluate }) => evaluate(gateSays('under repair')),
    },
  ],
};
