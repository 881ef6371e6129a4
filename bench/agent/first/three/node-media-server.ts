import fs from 'node:fs';
import path from 'node:path';
import { freePort } from '../../../../test/support/chromium.ts';
import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import { answers, Conversation } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

let mediaPort = 0;
let isFilled = false;

export const nodeMediaServer: FirstApp = {
  name: 'node-media-server',
  kind: 'Node: TCP (RTMP), Express',
  packages: { dependencies: { 'node-media-server': '4.4.3' } },
  async start(place) {
    isFilled = false;
    mediaPort = await freePort();
    const config = {
      bind: '127.0.0.1',
      notify: { url: 'http://127.0.0.1:9/harbour-events' },
      store: { path: './data', maxHistory: 4711 },
      auth: { play: false, publish: true, secret: 'low-tide' },
      rtmp: { port: mediaPort },
      http: { port: place.port },
      record: { auto: false, path: './harbour-films' },
    };
    fs.writeFileSync(path.join(place.folder, 'media.json'), JSON.stringify(config));
    return startPackage('node-media-server/bin/app.js', ['--config', 'media.json'], place);
  },
  async fill() {
    if (!(await answers(mediaPort))) return false;
    // A client that has begun the handshake, and stays.
    if (!isFilled)
      await (await Conversation.open(mediaPort)).say(
        Buffer.concat([Buffer.from([3]), Buffer.alloc(1536)]),
        /[\s\S]{1536}/,
      );
    isFilled = true;
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'where events are sent', value: 'http://127.0.0.1:9/harbour-events' },
    { ask: 'most entries of the history', value: 4711 },
    { ask: 'folder of recordings', match: 'harbour-films$' },
    { ask: 'whether senders must prove who they are', value: true, key: 'publish' },
    { ask: 'who is connected', value: '127.0.0.1', key: 'session|client|connection' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "max history" of the store?', check: says('4711') },
    { kind: 'read', words: 'What is the "path" of the "record"?', check: says('harbour-films') },
  ],
};
