import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';
import { isScrapped, waitForNotice } from './ferries.ts';

/** Vue 3. */
export const scalar: App = {
  name: 'scalar',
  packages: { dependencies: { '@scalar/api-reference': '1.72.1' } },
  start: (place) => startServer('scalar', place),
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('every day but Sunday')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Whose consent does "Scrap a ferry" need?', check: says('harbour master') },
    {
      kind: 'act',
      words: 'Press "Test Request (delete /ferries/{id})". Press "Send".',
      check: isScrapped,
    },
    waitForNotice,
  ],
};
