import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';

/** Svelte. */
export const jsoneditor: App = {
  name: 'jsoneditor',
  packages: { dependencies: { 'vanilla-jsoneditor': '3.13.0' } },
  start: (place) => startServer('jsoneditor', place),
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('Gannet')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Which pier has the ferry "Gannet"?', check: says('west-1') },
    {
      kind: 'act',
      words: 'Press "Switch to text mode".',
      check: ({ evaluate }) => evaluate(`document.querySelector('.cm-editor') !== null`),
    },
    {
      kind: 'wait',
      words: 'Wait until the master has the name "Rasmus Dahl".',
      event: ({ evaluate }) => evaluate(`void editor.update({ json: { master: { name: 'Rasmus Dahl' } } })`),
      check: ({ evaluate }) => evaluate(`JSON.stringify(editor.get()).includes('Rasmus Dahl')`),
    },
  ],
};
