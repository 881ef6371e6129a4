import fs from 'node:fs';
import path from 'node:path';
import { freePort } from '../../../../test/support/chromium.ts';
import { ask, says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const ROUTES = [
  {
    id: 'get-ferries',
    url: '/api/ferries',
    method: 'GET',
    delay: 37,
    variants: [
      { id: 'calm', type: 'json', options: { status: 200, body: [{ name: 'Sandpiper', berth: 'north-2' }] } },
      { id: 'storm', type: 'json', options: { status: 503, body: { message: 'no ferry sails' } } },
    ],
  },
];
const COLLECTIONS = [
  { id: 'summer', routes: ['get-ferries:calm'] },
  { id: 'winter-storms', from: 'summer', routes: ['get-ferries:storm'] },
];

let adminPort = 0;
const config = () => ask<{ mock: { collections: { selected: string } } }>(`http://127.0.0.1:${adminPort}/api/config`);

export const mocksServer: FirstApp = {
  name: 'mocks-server',
  kind: 'Node: Express, two servers',
  packages: { dependencies: { '@mocks-server/main': '4.1.0' } },
  async start(place) {
    adminPort = await freePort();
    const routes = path.join(place.folder, 'mocks/routes');
    fs.mkdirSync(routes, { recursive: true });
    fs.writeFileSync(path.join(routes, 'ferries.json'), JSON.stringify(ROUTES));
    fs.writeFileSync(path.join(place.folder, 'mocks/collections.json'), JSON.stringify(COLLECTIONS));
    const settings = {
      server: { port: place.port, host: '127.0.0.1' },
      mock: { collections: { selected: 'winter-storms' }, routes: { delay: 41 } },
      plugins: { adminApi: { port: adminPort, host: '127.0.0.1' }, inquirerCli: { enabled: false } },
    };
    fs.writeFileSync(path.join(place.folder, 'mocks.config.js'), `module.exports = ${JSON.stringify(settings)};\n`);
    return startPackage('@mocks-server/main/bin/mocks-server', [], place);
  },
  isHttp: false,
  fill: async (url) => (await fetch(`${url}/api/ferries`)).status === 503,
  ready: async () => (await config()).mock.collections.selected === 'winter-storms',
  facts: [
    { ask: 'collection that is used', value: 'winter-storms', key: 'current|selected' },
    { ask: 'a route', value: 'get-ferries' },
    { ask: 'its answer', value: 'no ferry sails' },
    { ask: 'another answer of the route', value: 'north-2' },
    { ask: 'milliseconds that answers are held back', value: 41, key: 'delay' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "message" of the "storm" answer?', check: says('no ferry sails') },
    {
      kind: 'wait',
      words: 'Wait until the collection "summer" is selected.',
      event: () =>
        fetch(`http://127.0.0.1:${adminPort}/api/config`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ mock: { collections: { selected: 'summer' } } }),
        }),
      check: async () => (await config()).mock.collections.selected === 'summer',
    },
  ],
};
