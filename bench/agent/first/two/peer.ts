import { ask, says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import { openWebSocket } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

const peers = (url: string) => ask<string[]>(`${url}/quay/ferries/peers`);

async function connect(url: string, id: string): Promise<void> {
  await openWebSocket(`${url.replace('http', 'ws')}/quay/peerjs?key=ferries&id=${id}&token=t-${id}`);
}

export const peer: FirstApp = {
  name: 'peer',
  kind: 'Node: Express, ws',
  packages: { dependencies: { peer: '1.0.2' } },
  start(place) {
    const args = ['--port', String(place.port), '--host', '127.0.0.1', '--path', '/quay', '--key', 'ferries'];
    args.push('--allow_discovery', '--alive_timeout', '610000', '--concurrent_limit', '4711');
    return startPackage('peer/dist/bin/peerjs.js', args, place);
  },
  async fill(url) {
    const there = await peers(url);
    for (const id of ['sandpiper-7', 'petrel-9']) if (!there.includes(id)) await connect(url, id);
    return (await peers(url)).length === 2;
  },
  ready: async () => true,
  facts: [
    { ask: 'a client', line: 'sandpiper-7' },
    { ask: 'another client', line: 'petrel-9' },
    { ask: 'most clients', value: 4711 },
    { ask: 'milliseconds until a silent client is dropped', value: 610_000 },
    { ask: 'path', match: '^/quay' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "concurrent limit"?', check: says('4711') },
    {
      kind: 'wait',
      words: 'Wait until there is a client "kittiwake-3".',
      event: ({ url }) => connect(url, 'kittiwake-3'),
      check: async ({ url }) => (await peers(url)).includes('kittiwake-3'),
    },
  ],
};
