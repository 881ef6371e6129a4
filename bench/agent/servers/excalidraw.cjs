// A drawing with a few notes. Excalidraw's own API is where only who knows it looks: a global would be state of the app.
const { serve } = require('./static.cjs');

const NOTES = ['Deadline: 14 March', 'Owner: Grace', 'Budget: 9300 crowns', 'Ship invoices'];

serve({
  lib: '.',
  html: `<!doctype html><title>Excalidraw</title><body style="margin:0"><div id="app" style="height:100vh"></div>
<script>window.EXCALIDRAW_ASSET_PATH = '/lib/@excalidraw/excalidraw/dist/'</script>
<script src="/lib/react/umd/react.production.min.js"></script>
<script src="/lib/react-dom/umd/react-dom.production.min.js"></script>
<script src="/lib/@excalidraw/excalidraw/dist/excalidraw.production.min.js"></script>
<script>{
const elements = ExcalidrawLib.convertToExcalidrawElements([
  ...${JSON.stringify(NOTES)}.map((text, at) => ({ type: 'text', x: 300, y: 150 + 60 * at, text })),
  { type: 'rectangle', x: 280, y: 120, width: 320, height: 280 },
]);
ReactDOM.createRoot(document.getElementById('app')).render(React.createElement(ExcalidrawLib.Excalidraw, {
  initialData: { elements, appState: { name: 'Launch plan' } }, excalidrawAPI: (api) => { document.body[Symbol.for('bench')] = api },
}))}</script>`,
});
