import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

export const localWebServer: FirstApp = {
  name: 'local-web-server',
  kind: 'Node: Koa',
  packages: { dependencies: { 'local-web-server': '5.4.0' } },
  start(place) {
    const site = path.join(place.folder, 'harbour-site');
    fs.mkdirSync(site);
    fs.writeFileSync(path.join(site, 'quay.html'), '<p>Sandpiper</p>');
    const args = ['--port', String(place.port), '--hostname', '127.0.0.1', '--directory', site];
    args.push('--rewrite', '/old-quay -> /quay.html', '--blacklist', '/harbour-master/(.*)');
    args.push('--keep-alive-timeout', '7301', '--max-connections', '613');
    return startPackage('local-web-server/bin/cli.js', args, place);
  },
  fill: async (url) => (await (await fetch(`${url}/old-quay`)).text()).includes('Sandpiper'),
  ready: async () => true,
  facts: [
    { ask: 'folder that is served', match: 'harbour-site$' },
    { ask: 'where an address leads', value: '/quay.html' },
    { ask: 'addresses that are forbidden', value: '/harbour-master/(.*)' },
    { ask: 'milliseconds that connections are kept', value: 7301 },
    { ask: 'most connections', value: 613 },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "keep alive timeout"?', check: says('7301') },
    { kind: 'read', words: 'Which "directory" is served?', check: says('harbour-site') },
  ],
};
