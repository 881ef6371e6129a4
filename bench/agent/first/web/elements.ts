import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';
import { isScrapped, waitForNotice } from './ferries.ts';

/** React. */
export const elements: App = {
  name: 'elements',
  packages: { dependencies: { '@stoplight/elements': '9.0.25' } },
  start: (place) => startServer('elements', place),
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('every day but Sunday')`),
  page: '/',
  tasks: [
    {
      kind: 'read',
      words: 'Open "ferries". Open "Scrap a ferry". Whose consent does it need?',
      check: says('harbour master'),
    },
    {
      kind: 'act',
      words: 'Open "ferries". Open "Scrap a ferry". Press "Send API Request".',
      check: isScrapped,
    },
    waitForNotice,
  ],
};
