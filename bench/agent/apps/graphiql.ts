import { type App, ask, says } from '../app.ts';
import { startServer } from '../start.ts';

const RESULT = `document.querySelector('.result-window')?.innerText ?? ''`;

export const graphiql: App = {
  name: 'graphiql',
  packages: { dependencies: { graphiql: '3.0.10', react: '18.3.1', 'react-dom': '18.3.1', graphql: '16.9.0' } },
  start: (place) => startServer('graphiql', place),
  ready: ({ evaluate }) => evaluate(`document.querySelector('.graphiql-execute-button') !== null`),
  page: '/',
  tasks: [
    {
      kind: 'read',
      words:
        'Press "Show Documentation Explorer". Open the type "Query". Open the type "Book". What type has the field "binding"?',
      check: says('BindingKind'),
    },
    {
      kind: 'act',
      words: 'Press "Execute query".',
      check: async ({ url, evaluate }) =>
        (await ask<{ runs: number }>(`${url}/truth`)).runs > 0 && (await evaluate<string>(RESULT)).includes('Messiah'),
    },
    {
      kind: 'wait',
      words: 'Wait until the response has the book "Dune Messiah".',
      event: ({ evaluate }) => evaluate(`document.querySelector('.graphiql-execute-button').click()`),
      check: async ({ evaluate }) => (await evaluate<string>(RESULT)).includes('Messiah'),
    },
  ],
};
