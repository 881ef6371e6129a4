import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';

/** Its cells are drawn on a canvas. */
export const xSpreadsheet: App = {
  name: 'x-spreadsheet',
  packages: { dependencies: { 'x-data-spreadsheet': '1.1.9' } },
  start: (place) => startServer('x-spreadsheet', place),
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('pilots')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Which pier has the ferry "Gannet"?', check: says('west-1') },
    {
      kind: 'act',
      words: 'Choose the sheet "pilots".',
      check: ({ evaluate }) =>
        evaluate(`document.querySelector('.x-spreadsheet-bottombar li.active').innerText.trim() === 'pilots'`),
    },
    {
      kind: 'wait',
      words: 'Wait until there is a sheet "tolls".',
      event: ({ evaluate }) => evaluate(`void sheet.addSheet('tolls')`),
      check: ({ evaluate }) => evaluate(`document.body.innerText.includes('tolls')`),
    },
  ],
};
