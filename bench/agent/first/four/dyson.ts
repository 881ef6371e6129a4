import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const BERTHS = `module.exports = { path: '/berths/:ferry', template: { berth: 'south-9-by-the-crane', depth: 417 } };`;
const TIDES = `module.exports = { path: '/tides', method: 'POST', status: (q, s) => s.status(207), delay: 41, template: { high: 'noon' } };`;

export const dyson: FirstApp = {
  name: 'dyson',
  kind: 'Node: Express',
  packages: { dependencies: { dyson: '4.1.0' } },
  start(place) {
    const stubs = path.join(place.folder, 'stubs');
    fs.mkdirSync(stubs);
    fs.writeFileSync(path.join(stubs, 'berths.js'), BERTHS);
    fs.writeFileSync(path.join(stubs, 'tides.js'), TIDES);
    return startPackage('dyson/bin/dyson.js', ['stubs', String(place.port)], place);
  },
  fill: async (url) => (await (await fetch(`${url}/berths/petrel`)).text()).includes('south-9'),
  ready: async () => true,
  facts: [
    { ask: 'address that it knows', value: '/berths/:ferry' },
    { ask: 'its answer', value: 'south-9-by-the-crane' },
    { ask: 'a number in it', value: 417, key: 'depth' },
    { ask: 'another address', value: '/tides' },
    { ask: 'milliseconds that an answer is held back', value: 41, key: 'delay' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "berth" of the answer to "/berths"?', check: says('south-9-by-the-crane') },
    { kind: 'read', words: 'What is the "delay" of "/tides"?', check: says('41') },
  ],
};
