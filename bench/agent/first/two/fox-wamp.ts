import WebSocket from 'ws';
import { freePort } from '../../../../test/support/chromium.ts';
import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

type Message = readonly [number, ...unknown[]];

/** Enters the realm, sends each message after the answer to the previous one, and stays. */
function enter(url: string, messages: readonly Message[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/wamp`, 'wamp.2.json');
    const roles = { caller: {}, callee: {}, publisher: {}, subscriber: {} };
    const rest: Message[] = [[1, 'harbour', { roles }], ...messages];
    const next = () => {
      const message = rest.shift();
      if (message === undefined) resolve();
      else socket.send(JSON.stringify(message));
    };
    socket.on('error', reject);
    socket.once('open', next);
    socket.on('message', next);
  });
}

let isFilled = false;

export const foxWamp: FirstApp = {
  name: 'fox-wamp',
  kind: 'Node: ws and TCP (WAMP, MQTT)',
  packages: { dependencies: { 'fox-wamp': '0.7.28' } },
  async start(place) {
    isFilled = false;
    const ports = ['--http', String(place.port), '--mqtt', String(await freePort())];
    return startPackage('fox-wamp/bin/mqtt_gate.js', ports, place);
  },
  async fill(url) {
    if (!isFilled) {
      await enter(url, [
        [32, 101, {}, 'quay.berths.changed'],
        [64, 102, {}, 'quay.crane.lift'],
      ]);
      await enter(url, [[32, 103, {}, 'tides.high']]);
    }
    isFilled = true;
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'realm', line: 'harbour' },
    { ask: 'topic that somebody follows', line: 'quay\\W+berths\\W+changed' },
    { ask: 'procedure that somebody offers', line: 'quay\\W+crane\\W+lift' },
    { ask: 'topic that somebody else follows', line: 'tides\\W+high' },
    { ask: 'sessions', line: '(session|gate|client)s?\\b.* = 2$|session.*\\[1\\]' },
  ],
  tasks: [
    { kind: 'read', words: 'Which "realm" is there?', check: says('harbour') },
    {
      kind: 'wait',
      words: 'Wait until somebody follows the topic "kittiwake".',
      event: ({ url }) => enter(url, [[32, 104, {}, 'kittiwake']]),
      check: () => true,
    },
  ],
};
