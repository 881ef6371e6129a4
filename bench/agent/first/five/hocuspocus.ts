import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import { openWebSocket } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

const text = (value: string) => [Buffer.byteLength(value), ...Buffer.from(value)];

/** Opens a document as its own client does, says who it is, and stays. */
async function open(url: string, document: string, id: number, name: string): Promise<void> {
  const socket = await openWebSocket(url.replace('http', 'ws'));
  const heard = new Promise<void>((resolve) => socket.once('message', () => resolve()));
  // Who it is, with a token; then what it has; then what it says of itself.
  socket.send(Buffer.from([...text(document), 2, 0, ...text('low-tide')]));
  socket.send(Buffer.from([...text(document), 0, 0, 1, 0]));
  await heard;
  const state = text(JSON.stringify({ user: { name } }));
  const update = [1, id, 1, ...state];
  socket.send(Buffer.from([...text(document), 1, update.length, ...update]));
}

let isFilled = false;

export const hocuspocus: FirstApp = {
  name: 'hocuspocus',
  kind: 'Node: ws, documents of several writers',
  packages: { dependencies: { '@hocuspocus/cli': '2.15.3' } },
  start(place) {
    isFilled = false;
    const args = ['--port', String(place.port), '--webhook', 'http://127.0.0.1:9/harbour-events'];
    return startPackage('@hocuspocus/cli/src/index.js', args, place);
  },
  async fill(url) {
    if (!isFilled) {
      await open(url, 'harbour-log', 71, 'Grace Tide');
      await open(url, 'tide-tables', 92, 'Otto Pilot');
    }
    isFilled = true;
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'a document', line: 'harbour-log' },
    { ask: 'another document', line: 'tide-tables' },
    { ask: 'who writes it', value: 'Grace Tide' },
    { ask: 'who is told of changes', value: 'http://127.0.0.1:9/harbour-events' },
    { ask: 'milliseconds until it stores at the latest', value: 10_000, key: 'maxDebounce' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "url" of the webhook?', check: says('harbour-events') },
    {
      kind: 'wait',
      words: 'Wait until there is a document "kittiwake-notes".',
      event: ({ url }) => open(url, 'kittiwake-notes', 33, 'Ada Wave'),
      check: () => true,
    },
  ],
};
