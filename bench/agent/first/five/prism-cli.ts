import fs from 'node:fs';
import path from 'node:path';
import { ask, says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const ferry = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', example: 'Sandpiper' }, seats: { type: 'integer', example: 310 } },
};
const answer = (schema: object) => ({ 200: { description: 'ok', content: { 'application/json': { schema } } } });
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Harbour of the north', version: '4.7.11' },
  paths: {
    '/ferries': { get: { operationId: 'listFerries', responses: answer({ type: 'array', items: ferry }) } },
    '/berths/{berth}': {
      get: {
        operationId: 'whoIsAtBerth',
        parameters: [{ name: 'berth', in: 'path', required: true, schema: { type: 'string', maxLength: 17 } }],
        responses: answer(ferry),
      },
    },
  },
};

export const prismCli: FirstApp = {
  name: 'prism-cli',
  kind: 'Node: plain http (micri)',
  packages: { dependencies: { '@stoplight/prism-cli': '5.14.2' } },
  start(place) {
    fs.writeFileSync(path.join(place.folder, 'harbour.json'), JSON.stringify(DOCUMENT));
    const args = ['mock', 'harbour.json', '--port', String(place.port), '--host', '127.0.0.1', '--errors'];
    return startPackage('@stoplight/prism-cli/dist/index.js', args, place);
  },
  fill: async (url) => (await ask<unknown[]>(`${url}/ferries`)).length > 0,
  ready: async () => true,
  facts: [
    { ask: 'an operation', value: 'listFerries' },
    { ask: 'another operation', value: 'whoIsAtBerth' },
    { ask: 'its path', match: '^/berths/' },
    { ask: 'longest name of a berth', value: 17, key: 'maxLength' },
    { ask: 'whether answers that do not fit are errors', value: true, key: 'errors' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "max length" of "berth"?', check: says('17') },
    { kind: 'read', words: 'What is the "path" of "whoIsAtBerth"?', check: says('/berths/') },
  ],
};
