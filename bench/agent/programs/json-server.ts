import fs from 'node:fs';
import path from 'node:path';
import { type App, ask, says } from '../app.ts';
import { startPackage } from '../start.ts';

const DB = {
  ferries: [
    { id: 1, name: 'Sandpiper', berth: 'north-2', seats: 310 },
    { id: 2, name: 'Petrel', berth: 'south-9', seats: 84 },
  ],
  pilots: [{ id: 1, name: 'Grace', channel: 'north' }],
};

export const jsonServer: App = {
  name: 'json-server',
  packages: { dependencies: { 'json-server': '0.17.4' } },
  start(place) {
    fs.writeFileSync(path.join(place.folder, 'db.json'), JSON.stringify(DB));
    return startPackage(
      'json-server/lib/cli/bin.js',
      ['--port', String(place.port), '--host', '127.0.0.1', 'db.json'],
      place,
    );
  },
  ready: async ({ url }) => (await fetch(url)).ok,
  tasks: [
    { kind: 'read', words: 'At which berth is the ferry "Petrel"?', check: says('south-9') },
    {
      kind: 'act',
      words: 'Set the "berth" of the ferry "Sandpiper" to "east-4".',
      check: async ({ url }) => (await ask<{ berth: string }>(`${url}/ferries/1`)).berth === 'east-4',
    },
    {
      kind: 'wait',
      words: 'Wait until there is a ferry "Kittiwake".',
      event: ({ url }) =>
        ask(`${url}/ferries`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'Kittiwake', berth: 'north-3', seats: 12 }),
        }),
      check: async ({ url }) => (await ask<unknown[]>(`${url}/ferries`)).length === 3,
    },
  ],
};
