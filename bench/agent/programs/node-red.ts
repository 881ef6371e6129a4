import type { App } from '../app.ts';
import { says } from '../app.ts';
import { flowsOf, inject, NODE_RED, startNodeRed } from '../apps/node-red.ts';

/** The same app as in the browser, read from its own process. */
export const nodeRedProgram: App = {
  name: 'node-red-server',
  installedAs: 'node-red',
  packages: NODE_RED,
  start: startNodeRed,
  ready: async ({ url }) => (await flowsOf(url)).length > 0,
  tasks: [
    {
      kind: 'read',
      words: 'What is the status of the node "soil moisture", how far is the valve open?',
      check: says('42 percent'),
    },
    {
      kind: 'act',
      words: 'Set the "name" of the node "soil moisture" to "soil probe".',
      check: async ({ url }) => (await flowsOf(url)).some(({ name }) => name === 'soil probe'),
    },
    {
      kind: 'wait',
      words: 'Wait until the status of the node "soil moisture" says "valve shut, dry".',
      event: ({ url }) => inject(url, 'n4'),
      check: () => true,
    },
  ],
};
