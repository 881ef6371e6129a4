// OpenAPI Explorer, made of Lit elements.
require('./ferries.cjs').serveFerries({
  lib: 'openapi-explorer/dist/browser',
  html: `<!doctype html><meta charset="utf-8"><title>Ferries</title>
<script type="module" src="/lib/openapi-explorer.min.js"></script><openapi-explorer spec-url="/openapi.json"></openapi-explorer>`,
});
