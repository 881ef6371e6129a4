import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import { openWebSocket } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

const peer = (id: string) => `/dns4/quay.example/tcp/443/wss/p2p-webrtc-star/p2p/${id}`;

/** Joins this many times; the connection stays. */
async function join(url: string, address: string, times: number): Promise<void> {
  const socket = await openWebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  socket.on('message', (data) => {
    const text = String(data);
    // The protocol of engine.io: 0 opens, 2 is a ping; 40 enters the namespace, 42 is an event.
    if (text.startsWith('0')) socket.send('40');
    if (text.startsWith('2')) socket.send('3');
    if (text.startsWith('40')) for (let at = 0; at < times; at++) socket.send(`42["ss-join","${address}"]`);
  });
}

const metric = async (url: string, name: string) =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1] ?? 0);

let isFilled = false;

export const webrtcStar: FirstApp = {
  name: 'webrtc-star',
  kind: 'Node: Hapi, socket.io',
  packages: { dependencies: { '@libp2p/webrtc-star-signalling-server': '4.0.0' } },
  start(place) {
    isFilled = false;
    const args = ['--port', String(place.port), '--host', '127.0.0.1'];
    return startPackage('@libp2p/webrtc-star-signalling-server/bin/index.js', args, place);
  },
  async fill(url) {
    if (!isFilled) {
      // If it is not up yet, this fails, and is repeated.
      await join(url, peer('QmSandpiper'), 1);
      await join(url, peer('QmPetrel'), 16);
      isFilled = true;
    }
    return (await metric(url, 'webrtc_star_joins_total')) === 17;
  },
  ready: async () => true,
  facts: [
    { ask: 'a peer', line: 'QmSandpiper' },
    { ask: 'another peer', line: 'QmPetrel' },
    { ask: 'joins since it runs', value: 17, key: 'join|total|value' },
    { ask: 'peers online', value: 2, key: 'peers' },
    { ask: 'host', value: '127.0.0.1', key: 'host|address|uri' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the value of "webrtc_star_joins_total"?', check: says('17') },
    {
      kind: 'wait',
      words: 'Wait until there is a peer "QmKittiwake".',
      event: ({ url }) => join(url, peer('QmKittiwake'), 1),
      check: async ({ url }) => (await metric(url, 'webrtc_star_peers')) === 3,
    },
  ],
};
