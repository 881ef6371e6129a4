import path from 'node:path';
import { says } from '../../app.ts';
import { startCommand } from '../../start.ts';
import { openWebSocket } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

/** Enters a room like its own client, introduces itself, and stays. */
async function enter(url: string, room: string, id: number, name: string, colour: string): Promise<void> {
  const socket = await openWebSocket(`${url.replace('http', 'ws')}/${room}`);
  const state = Buffer.from(JSON.stringify({ user: { name, colour } }));
  // One client: its number, the first of its messages, its description of itself.
  const update = Buffer.from([1, id, 1, state.length, ...state]);
  socket.send(Buffer.from([1, update.length, ...update]));
}

let isFilled = false;

export const yWebsocket: FirstApp = {
  name: 'y-websocket',
  kind: 'Node: ws',
  packages: { dependencies: { 'y-websocket': '2.1.0', yjs: '13.6.20' } },
  start({ port, folder, modules }) {
    isFilled = false;
    const env = { HOST: '127.0.0.1', PORT: String(port) };
    return startCommand(process.execPath, [path.join(modules, 'y-websocket/bin/server.cjs')], { port, folder, env });
  },
  async fill(url) {
    if (!isFilled) {
      await enter(url, 'harbour-log', 71, 'Grace Tide', '#c0ffee');
      await enter(url, 'tide-tables', 92, 'Otto Pilot', '#decade');
    }
    isFilled = true;
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'a room', line: 'harbour-log' },
    { ask: 'another room', line: 'tide-tables' },
    { ask: 'who is in it', value: 'Grace Tide' },
    { ask: 'who else is there', value: 'Otto Pilot' },
    { ask: 'colour of somebody', value: '#decade' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "colour" of "Grace Tide"?', check: says('#c0ffee') },
    {
      kind: 'wait',
      words: 'Wait until there is a room "kittiwake-notes".',
      event: ({ url }) => enter(url, 'kittiwake-notes', 33, 'Ada Wave', '#facade'),
      check: () => true,
    },
  ],
};
