import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';

/** Its text is in a frame. */
export const tinymce: App = {
  name: 'tinymce',
  packages: { dependencies: { tinymce: '8.9.2' } },
  start: (place) => startServer('tinymce', place),
  ready: ({ evaluate }) => evaluate(`tinymce.activeEditor.getContent().includes('Solveig')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Who takes the Skua through the narrows?', check: says('Solveig') },
    {
      kind: 'act',
      words: 'Press "Source code". Set the "Source code" to "<p>Closed for the storm</p>". Press "Save".',
      check: ({ evaluate }) => evaluate(`tinymce.activeEditor.getContent().includes('Closed for the storm')`),
    },
    {
      kind: 'wait',
      words: 'Wait until the notice says "the narrows are closed".',
      event: ({ evaluate }) => evaluate(`void tinymce.activeEditor.setContent('<p>Today the narrows are closed.</p>')`),
      check: ({ evaluate }) => evaluate(`tinymce.activeEditor.getContent().includes('narrows are closed')`),
    },
  ],
};
