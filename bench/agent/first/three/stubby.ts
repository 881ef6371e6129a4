import fs from 'node:fs';
import path from 'node:path';
import { freePort } from '../../../../test/support/chromium.ts';
import { ask, says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const STUBS = [
  {
    request: { url: '^/berths/petrel$', method: 'GET' },
    response: { status: 203, latency: 41, body: 'south-9-by-the-crane' },
  },
  { request: { url: '^/tides$', method: 'POST' }, response: { status: 207, body: 'high-at-noon' } },
];

let adminPort = 0;
const admin = () => `http://127.0.0.1:${adminPort}`;
let isFilled = false;

export const stubby: FirstApp = {
  name: 'stubby',
  kind: 'Node: plain http',
  packages: { dependencies: { stubby: '5.1.1' } },
  async start(place) {
    isFilled = false;
    adminPort = await freePort();
    fs.writeFileSync(path.join(place.folder, 'stubs.json'), JSON.stringify(STUBS));
    const ports = ['--stubs', String(place.port), '--admin', String(adminPort), '--tls', String(await freePort())];
    return startPackage('stubby/bin/stubby', ['--data', 'stubs.json', '--location', '127.0.0.1', ...ports], place);
  },
  async fill(url) {
    if (!isFilled) for (let at = 0; at < 3; at++) await fetch(`${url}/berths/petrel`);
    isFilled = true;
    return (await ask<unknown[]>(`${admin()}/`)).length === 2;
  },
  ready: async () => true,
  facts: [
    { ask: 'address that it knows', value: '/berths/petrel' },
    { ask: 'its answer', value: 'south-9-by-the-crane' },
    { ask: 'how often it was asked for', value: 3, key: 'hits' },
    { ask: 'status of another answer', value: 207, key: 'status' },
    { ask: 'milliseconds that an answer is held back', value: 41, key: 'latency' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "body" of the answer to "/tides"?', check: says('high-at-noon') },
    {
      kind: 'wait',
      words: 'Wait until there is an endpoint "/berths/kittiwake".',
      event: () => {
        const stub = { request: { url: '^/berths/kittiwake$' }, response: { body: 'north-3' } };
        const headers = { 'content-type': 'application/json' };
        return fetch(`${admin()}/`, { method: 'POST', headers, body: JSON.stringify(stub) });
      },
      check: async () => (await ask<unknown[]>(`${admin()}/`)).length === 3,
    },
  ],
};
