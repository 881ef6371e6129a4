// svelte-jsoneditor without a framework around it. window.editor is the editor's own object.
const { serve } = require('./static.cjs');

const JSON_TEXT = {
  port: 'Lerwick',
  master: { name: 'Ingrid Halvorsen', since: 2019 },
  ferries: [
    { name: 'Skua', pier: 'east-3', lorries: 14 },
    { name: 'Gannet', pier: 'west-1', lorries: 27 },
  ],
};

serve({
  lib: 'vanilla-jsoneditor',
  html: `<!doctype html><meta charset="utf-8"><title>JSON editor</title><div id="app" style="height: 95vh"></div>
<script type="module">
import { createJSONEditor } from '/lib/standalone.js';
window.editor = createJSONEditor({ target: document.getElementById('app'), props: { content: { json: ${JSON.stringify(JSON_TEXT)} } } });
editor.expand([], () => true);
</script>`,
});
