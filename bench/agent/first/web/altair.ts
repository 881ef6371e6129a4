import { type App, ask, says } from '../../app.ts';
import { startServer } from '../../start.ts';

/** Angular. */
export const altair: App = {
  name: 'altair',
  packages: { dependencies: { 'altair-static': '8.5.9', graphql: '16.9.0' } },
  start: (place) => startServer('altair', place),
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('Send Request')`),
  page: '/',
  tasks: [
    {
      kind: 'read',
      words: 'Open the type "Mutation". Which field has the type "Mutation"?',
      check: says('dismissHarbourMaster'),
    },
    {
      kind: 'act',
      words: 'Press "Send Request".',
      check: async ({ url }) => (await ask<{ runs: number }>(`${url}/truth`)).runs > 0,
    },
    {
      kind: 'wait',
      words: 'Wait until the result has the harbour master "Ingrid Halvorsen".',
      event: ({ evaluate }) =>
        evaluate(
          `[...document.querySelectorAll('button')].find(({ innerText }) => innerText.includes('Send Request')).click()`,
        ),
      check: ({ evaluate }) => evaluate(`document.body.innerText.includes('Ingrid Halvorsen')`),
    },
  ],
};
