import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';

/** Backbone, and a frame. */
export const grapesjs: App = {
  name: 'grapesjs',
  packages: { dependencies: { grapesjs: '0.23.6' } },
  start: (place) => startServer('grapesjs', place),
  ready: ({ evaluate }) => evaluate(`editor.Canvas.getBody().innerText.includes('Solveig')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Who takes the Skua through the narrows?', check: says('Solveig') },
    {
      kind: 'act',
      words: 'Press "Preview".',
      check: ({ evaluate }) =>
        evaluate(`editor.Commands.isActive('preview') || editor.Commands.isActive('core:preview')`),
    },
    {
      kind: 'wait',
      words: 'Wait until the notice says "the narrows are closed".',
      event: ({ evaluate }) => evaluate(`void editor.setComponents('<p>Today the narrows are closed.</p>')`),
      check: ({ evaluate }) => evaluate(`editor.Canvas.getBody().innerText.includes('narrows are closed')`),
    },
  ],
};
