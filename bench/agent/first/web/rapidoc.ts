import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';
import { isScrapped, textOf, waitForNotice } from './ferries.ts';

/** Lit. */
export const rapidoc: App = {
  name: 'rapidoc',
  packages: { dependencies: { rapidoc: '9.3.8' } },
  start: (place) => startServer('rapidoc', place),
  ready: ({ evaluate }) => evaluate(`(${textOf})(document).includes('every day but Sunday')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Which license has the API "Ferries"?', check: says('Harbour Licence 3') },
    { kind: 'act', words: 'Press "TRY" of "Scrap a ferry".', check: isScrapped },
    waitForNotice,
  ],
};
