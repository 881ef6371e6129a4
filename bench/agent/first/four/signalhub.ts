import http from 'node:http';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

/** Listens to a channel until the program ends. */
function follow(url: string, channel: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.get(`${url}/v1/harbour/${channel}`, (response) => {
      response.on('error', () => {});
      response.resume();
      resolve();
    });
    request.on('error', reject);
  });
}

const broadcast = (url: string, channel: string) =>
  fetch(`${url}/v1/harbour/${channel}`, { method: 'POST', body: JSON.stringify({ berth: 'south-9' }) });

let isFilled = false;

export const signalhub: FirstApp = {
  name: 'signalhub',
  kind: 'Node: plain http (server-sent events)',
  packages: { dependencies: { signalhub: '4.9.0' } },
  start(place) {
    isFilled = false;
    return startPackage('signalhub/bin.js', ['listen', '-p', String(place.port), '-h', '127.0.0.1', '-q'], place);
  },
  async fill(url) {
    if (!isFilled) {
      for (const channel of ['quay-berths', 'quay-berths', 'high-tides']) await follow(url, channel);
      await broadcast(url, 'quay-berths');
    }
    isFilled = true;
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'channel that somebody follows', line: 'quay-berths' },
    { ask: 'another channel', line: 'high-tides' },
    { ask: 'how many follow', match: '^[23]$', key: 'sub' },
    { ask: 'where it listens', match: '^\\d{4,5}$', key: 'port' },
    { ask: 'whether it is quiet', value: true, key: 'q' },
  ],
  tasks: [
    {
      kind: 'read',
      words: 'Which "channels" are there?',
      check: (_, answer) => /quay-berths/.test(answer),
    },
    {
      kind: 'wait',
      words: 'Wait until somebody follows the channel "kittiwake".',
      event: ({ url }) => follow(url, 'kittiwake'),
      check: () => true,
    },
  ],
};
