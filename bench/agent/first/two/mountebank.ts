import { freePort } from '../../../../test/support/chromium.ts';
import { ask, says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

let oraclePort = 0;

const imposters = (url: string) => ask<{ imposters: unknown[] }>(`${url}/imposters`);

export const mountebank: FirstApp = {
  name: 'mountebank',
  kind: 'Node: Express',
  packages: { dependencies: { mountebank: '2.9.1' } },
  async start(place) {
    oraclePort = await freePort();
    const args = ['start', '--port', String(place.port), '--localOnly', '--nologfile', '--pidfile', 'mb.pid'];
    return startPackage('mountebank/bin/mb', args, place);
  },
  async fill(url) {
    if ((await imposters(url)).imposters.length === 0) {
      const stub = {
        predicates: [{ equals: { path: '/berths/petrel' } }],
        responses: [{ is: { statusCode: 203, body: 'south-9-by-the-crane' } }],
      };
      const oracle = { protocol: 'http', port: oraclePort, name: 'berth-oracle', recordRequests: true, stubs: [stub] };
      const headers = { 'content-type': 'application/json' };
      await ask(`${url}/imposters`, { method: 'POST', headers, body: JSON.stringify(oracle) });
      for (const ship of ['petrel', 'tern', 'kittiwake']) await fetch(`http://127.0.0.1:${oraclePort}/berths/${ship}`);
    }
    return (await imposters(url)).imposters.length === 1;
  },
  ready: async () => true,
  facts: [
    { ask: 'imposter', value: 'berth-oracle' },
    { ask: 'path that it knows', value: '/berths/petrel', key: 'predicate|equals|stub' },
    { ask: 'its answer', value: 'south-9-by-the-crane' },
    { ask: 'how often it was asked', value: 3, key: 'numberOfRequests|requests' },
    { ask: 'what else it was asked for', value: '/berths/kittiwake' },
  ],
  tasks: [
    {
      kind: 'read',
      words: 'What is the "body" of the answer to "/berths/petrel"?',
      check: says('south-9-by-the-crane'),
    },
    {
      kind: 'act',
      words: 'Press "delete all" of the imposters.',
      check: async ({ url }) => (await imposters(url)).imposters.length === 0,
    },
  ],
};
