import { type App, ask, says } from '../app.ts';
import { startServer } from '../start.ts';

export const swaggerUi: App = {
  name: 'swagger-ui',
  packages: { dependencies: { 'swagger-ui-dist': '5.17.14' } },
  start: (place) => startServer('swagger-ui', place),
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('Cast off')`),
  page: '/',
  tasks: [
    {
      kind: 'read',
      words: 'Open "Show one boat". What is the description of the response 404?',
      check: says('No boat of that number'),
    },
    {
      kind: 'act',
      words: 'Open "Cast off a boat". Press "Try it out". Set the "id" to "7". Press "Execute".',
      check: async ({ url }) => {
        const boats = await ask<{ id: number }[]>(`${url}/boats`);
        return boats.length === 1 && boats[0]?.id === 3;
      },
    },
    {
      kind: 'wait',
      words: 'Wait until the version of the API is "1.5.0-storm".',
      event: ({ evaluate }) =>
        evaluate(`void ui.specActions.updateSpec(ui.specSelectors.specStr().replace('1.4.2', '1.5.0-storm'))`),
      check: ({ evaluate }) => evaluate(`document.body.innerText.includes('1.5.0-storm')`),
    },
  ],
};
