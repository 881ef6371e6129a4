// RapiDoc, made of Lit elements.
require('./ferries.cjs').serveFerries({
  lib: 'rapidoc/dist',
  html: `<!doctype html><meta charset="utf-8"><title>Ferries</title>
<script type="module" src="/lib/rapidoc-min.js"></script>
<rapi-doc spec-url="/openapi.json" render-style="read" load-fonts="false"></rapi-doc>`,
});
