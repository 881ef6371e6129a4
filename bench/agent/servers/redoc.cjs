// Redoc, made with React.
require('./ferries.cjs').serveFerries({
  lib: 'redoc/bundles',
  html: `<!doctype html><meta charset="utf-8"><title>Ferries</title><div id="app"></div><script src="/lib/redoc.standalone.js"></script>
<script>Redoc.init('/openapi.json', { disableSearch: false }, document.getElementById('app'))</script>`,
});
