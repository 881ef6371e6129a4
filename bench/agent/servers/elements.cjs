// Stoplight Elements, a React app in a custom element.
require('./ferries.cjs').serveFerries({
  lib: '@stoplight/elements',
  html: `<!doctype html><title>Ferries</title><link rel="stylesheet" href="/lib/styles.min.css">
<style>body { margin: 0; height: 100vh; display: flex; flex-direction: column }</style>
<elements-api apiDescriptionUrl="/openapi.json" router="hash" layout="sidebar"></elements-api>
<script src="/lib/web-components.min.js"></script>`,
});
