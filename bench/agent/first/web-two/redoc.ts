import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';
import { waitForNotice } from '../web/ferries.ts';

/** React. */
export const redoc: App = {
  name: 'redoc',
  packages: { dependencies: { redoc: '2.5.4' } },
  start: (place) => startServer('redoc', place),
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('every day but Sunday')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Whose consent does "Scrap a ferry" need?', check: says('harbour master') },
    {
      kind: 'act',
      words: 'Open "ferries". Open "Scrap a ferry".',
      check: ({ evaluate }) => evaluate(`location.hash.includes('scrapFerry')`),
    },
    waitForNotice,
  ],
};
