import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

export const browserSync: FirstApp = {
  name: 'browser-sync',
  kind: 'Node: connect, socket.io',
  packages: { dependencies: { 'browser-sync': '3.0.4' } },
  start(place) {
    const site = path.join(place.folder, 'harbour-site');
    fs.mkdirSync(site);
    fs.writeFileSync(path.join(site, 'quay.html'), '<body><p>Sandpiper</p></body>');
    const args = ['start', '--server', 'harbour-site', '--index', 'quay.html', '--port', String(place.port)];
    args.push('--no-open', '--no-ui', '--no-online', '--listen', '127.0.0.1', '--files', 'harbour-site/*.css');
    args.push('--reload-delay', '2718', '--startPath', '/ferries/sandpiper');
    return startPackage('browser-sync/dist/bin.js', args, place);
  },
  fill: async (url) => (await (await fetch(`${url}/`)).text()).includes('Sandpiper'),
  ready: async () => true,
  facts: [
    { ask: 'folder that is served', match: 'harbour-site$' },
    { ask: 'page that is shown first', value: 'quay.html', key: 'index' },
    { ask: 'milliseconds before it loads anew', value: 2718 },
    { ask: 'files that it watches', value: 'harbour-site/*.css' },
    { ask: 'where a browser starts', value: '/ferries/sandpiper' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "reload delay"?', check: says('2718') },
    { kind: 'read', words: 'What is the "start path"?', check: says('/ferries/sandpiper') },
  ],
};
