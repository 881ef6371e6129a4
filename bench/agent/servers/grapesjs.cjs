// GrapesJS, made with Backbone: the page that is edited is in a frame. window.editor is its own object.
const { serve } = require('./static.cjs');

serve({
  lib: 'grapesjs/dist',
  html: `<!doctype html><meta charset="utf-8"><title>Page of the port</title><link rel="stylesheet" href="/lib/css/grapes.min.css">
<div id="app"></div><script src="/lib/grapes.min.js"></script><script>window.editor = grapesjs.init({
  container: '#app', height: '90vh', storageManager: false, telemetry: false,
  components: '<h1>Notice of the port</h1><p>Solveig takes the Skua through the narrows at seven.</p>',
})</script>`,
});
