// AG Grid, which only draws the rows that are in view. window.grid is its own object.
const { serve } = require('./static.cjs');

const SHIPS = ['Skua', 'Petrel of Oban', 'Fulmar', 'Gannet', 'Dunlin'].map((ship, at) => ({
  ship,
  pier: ['east-3', 'east-4', 'north-2', 'west-1', 'south-5'][at],
  lorries: [14, 8, 31, 27, 3][at],
}));
const MORE = Array.from({ length: 400 }, (_, at) => ({
  ship: `Barge ${at}`,
  pier: `pool-${at % 9}`,
  lorries: at % 40,
}));

serve({
  lib: 'ag-grid-community/dist',
  html: `<!doctype html><meta charset="utf-8"><title>Ships</title><h1>Ships in port</h1><div id="app" style="height: 80vh"></div>
<script src="/lib/ag-grid-community.min.js"></script><script>window.grid = agGrid.createGrid(document.getElementById('app'), {
  columnDefs: [{ field: 'ship', filter: true }, { field: 'pier' }, { field: 'lorries' }], rowData: ${JSON.stringify([...SHIPS, ...MORE])},
})</script>`,
});
