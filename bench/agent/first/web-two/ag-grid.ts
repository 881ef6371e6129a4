import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';

/** No framework; a grid that only draws the rows in view. */
export const agGrid: App = {
  name: 'ag-grid',
  packages: { dependencies: { 'ag-grid-community': '36.2.0' } },
  start: (place) => startServer('ag-grid', place),
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('Gannet')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Which pier has the ship "Gannet"?', check: says('west-1') },
    {
      kind: 'act',
      words: 'Press "Lorries".',
      check: ({ evaluate }) => evaluate(`grid.getColumnState().some(({ colId, sort }) => colId === 'lorries' && sort)`),
    },
    {
      kind: 'wait',
      words: 'Wait until there is a ship "Guillemot".',
      event: ({ evaluate }) =>
        evaluate(
          `void grid.applyTransaction({ add: [{ ship: 'Guillemot', pier: 'east-9', lorries: 2 }], addIndex: 0 })`,
        ),
      check: ({ evaluate }) => evaluate(`document.body.innerText.includes('Guillemot')`),
    },
  ],
};
