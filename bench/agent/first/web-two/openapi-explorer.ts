import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';
import { isScrapped, textOf, waitForNotice } from '../web/ferries.ts';

/** Lit. */
export const openapiExplorer: App = {
  name: 'openapi-explorer',
  packages: { dependencies: { 'openapi-explorer': '2.4.820' } },
  start: (place) => startServer('openapi-explorer', place),
  ready: ({ evaluate }) => evaluate(`(${textOf})(document).includes('every day but Sunday')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Open "Scrap a ferry". Whose consent does it need?', check: says('harbour master') },
    { kind: 'act', words: 'Open "Scrap a ferry". Press "Execute".', check: isScrapped },
    waitForNotice,
  ],
};
