import { type App, ask, says } from '../app.ts';
import { startServer } from '../start.ts';

interface Job {
  readonly id: string;
  readonly state: string;
}

export const bullBoard: App = {
  name: 'bull-board',
  packages: { dependencies: { '@bull-board/api': '5.23.0', '@bull-board/express': '5.23.0', express: '4.21.2' } },
  start: (place) => startServer('bull-board', place),
  ready: ({ evaluate }) => evaluate('document.body.innerText.includes("invoice-17")'),
  page: '/queue/emails',
  tasks: [
    {
      kind: 'read',
      words: 'Press "Error" of the job "invoice-17". What error has the job "invoice-17"?',
      check: says('mailbox busy'),
    },
    {
      kind: 'act',
      words: 'Press "Retry" of the job "invoice-18". Press "Confirm".',
      check: async ({ url }) => {
        const jobs = await ask<Job[]>(`${url}/truth`);
        return jobs.every(({ id, state }) =>
          id.startsWith('invoice') ? (state === 'failed') === (id === 'invoice-17') : true,
        );
      },
    },
    {
      kind: 'wait',
      words: 'Wait until the result of the job "newsletter-9" says "delivered to 812 readers".',
      event: ({ url }) => ask(`${url}/finish/newsletter-9`, { method: 'POST' }),
      check: ({ evaluate }) => evaluate('document.body.innerText.includes("812 readers")'),
    },
  ],
};
