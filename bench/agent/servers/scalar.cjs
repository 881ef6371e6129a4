// Scalar's API reference, a Vue 3 app.
require('./ferries.cjs').serveFerries({
  lib: '@scalar/api-reference/dist/browser',
  html: `<!doctype html><meta charset="utf-8"><title>Ferries</title><div id="app"></div>
<script src="/lib/standalone.js"></script>
<script>Scalar.createApiReference('#app', { url: '/openapi.json', withDefaultFonts: false, telemetry: false })</script>`,
});
