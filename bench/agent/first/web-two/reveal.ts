import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';

/** No framework; one of several parts is visible. */
export const reveal: App = {
  name: 'reveal',
  packages: { dependencies: { 'reveal.js': '5.2.1' } },
  start: (place) => startServer('reveal', place),
  ready: ({ evaluate }) => evaluate(`Reveal.isReady() && document.body.innerText.includes('spring meeting')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Press "next slide". Where does the Gannet moor?', check: says('west-1') },
    { kind: 'act', words: 'Press "next slide".', check: ({ evaluate }) => evaluate('Reveal.getIndices().h === 1') },
    {
      kind: 'wait',
      words: 'Wait until the slide says "Questions to the harbour master".',
      event: ({ evaluate }) => evaluate('void Reveal.slide(3)'),
      check: ({ evaluate }) => evaluate('Reveal.getIndices().h === 3'),
    },
  ],
};
