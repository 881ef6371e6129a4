import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const DATA = {
  ferries: [
    { id: 1, name: 'Sandpiper', berth: 'north-2', seats: 310 },
    { id: 2, name: 'Petrel', berth: 'south-9', seats: 417 },
  ],
  pilots: [{ id: 7, name: 'Grace Tide', ferry_id: 2 }],
};

async function ask(url: string, query: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${url}/`, { method: 'POST', headers, body: JSON.stringify({ query }) })).text();
}

let isFilled = false;

export const jsonGraphqlServer: FirstApp = {
  name: 'json-graphql-server',
  kind: 'Node: Express, GraphQL',
  packages: { dependencies: { 'json-graphql-server': '3.3.2' } },
  start(place) {
    isFilled = false;
    const file = path.join(place.folder, 'db.json');
    fs.writeFileSync(file, JSON.stringify(DATA));
    const args = [file, '--port', String(place.port), '--host', '127.0.0.1'];
    return startPackage('json-graphql-server/bin/json-graphql-server.cjs', args, place);
  },
  async fill(url) {
    if (!isFilled) await ask(url, 'mutation { createFerry(name: "Tern", berth: "west-1", seats: 88) { id } }');
    isFilled = true;
    return (await ask(url, '{ allFerries { name } }')).includes('Tern');
  },
  ready: async () => true,
  facts: [
    { ask: 'a ferry', value: 'Petrel' },
    { ask: 'its berth', value: 'south-9' },
    { ask: 'its seats', value: 417, key: 'seats' },
    { ask: 'a ferry that was added', value: 'Tern' },
    { ask: 'a pilot', value: 'Grace Tide' },
  ],
  tasks: [
    { kind: 'read', words: 'At which berth is the ferry "Petrel"?', check: says('south-9') },
    {
      kind: 'wait',
      words: 'Wait until there is a ferry "Kittiwake".',
      event: ({ url }) => ask(url, 'mutation { createFerry(name: "Kittiwake", berth: "north-3", seats: 9) { id } }'),
      check: async ({ url }) => (await ask(url, '{ allFerries { name } }')).includes('Kittiwake'),
    },
  ],
};
