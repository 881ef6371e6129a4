// x-spreadsheet draws its cells on a canvas. window.sheet is its own object.
const { serve } = require('./static.cjs');

const row = (...texts) => ({ cells: Object.fromEntries(texts.map((text, at) => [at, { text }])) });
const SHEETS = [
  {
    name: 'ferries',
    rows: { 0: row('Ferry', 'Pier', 'Lorries'), 1: row('Skua', 'east-3', '14'), 2: row('Gannet', 'west-1', '27') },
  },
  {
    name: 'pilots',
    rows: { 0: row('Pilot', 'Channel'), 1: row('Solveig', 'narrows'), 2: row('Rasmus', 'outer sound') },
  },
];

serve({
  lib: 'x-data-spreadsheet/dist',
  html: `<!doctype html><meta charset="utf-8"><title>Sheets</title><link rel="stylesheet" href="/lib/xspreadsheet.css">
<div id="app"></div><script src="/lib/xspreadsheet.js"></script>
<script>window.sheet = x_spreadsheet('#app', { view: { height: () => 700, width: () => 1300 } }).loadData(${JSON.stringify(SHEETS)})</script>`,
});
