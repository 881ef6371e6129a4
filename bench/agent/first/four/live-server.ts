import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import { openWebSocket } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

let isFilled = false;

export const liveServer: FirstApp = {
  name: 'live-server',
  kind: 'Node: connect, WebSocket',
  packages: { dependencies: { 'live-server': '1.2.2' } },
  start(place) {
    isFilled = false;
    const site = path.join(place.folder, 'harbour-site');
    const charts = path.join(place.folder, 'north-charts');
    fs.mkdirSync(site);
    fs.mkdirSync(charts);
    fs.writeFileSync(path.join(site, 'quay.html'), '<html><body>Sandpiper</body></html>');
    const args = [site, `--port=${place.port}`, '--host=127.0.0.1', '--no-browser', '--wait=417'];
    return startPackage(
      'live-server/live-server.js',
      [...args, '--entry-file=quay.html', `--mount=/charts:${charts}`],
      place,
    );
  },
  async fill(url) {
    const page = await (await fetch(`${url}/quay.html`)).text();
    if (!isFilled) await openWebSocket(`${url.replace('http', 'ws')}/quay.html/ws`);
    isFilled = true;
    return page.includes('Sandpiper');
  },
  ready: async () => true,
  facts: [
    { ask: 'folder that is served', match: 'harbour-site/?$' },
    { ask: 'milliseconds that it waits before it reloads', value: 417, key: 'wait' },
    { ask: 'page for addresses that are not there', match: '^(?:.*/)?quay\\.html$', key: 'file' },
    { ask: 'folder that is mounted', match: 'north-charts/?$' },
    { ask: 'browsers that are connected', line: '(client|socket)s?\\b.*(length|size) = 1$|(client|socket)s?\\[0\\]' },
  ],
  tasks: [
    { kind: 'read', words: 'How long does it "wait"?', check: says('417') },
    { kind: 'read', words: 'Which "root" folder is served?', check: says('harbour-site') },
  ],
};
