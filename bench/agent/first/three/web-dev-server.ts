import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

export const webDevServer: FirstApp = {
  name: 'web-dev-server',
  kind: 'Node: Koa',
  packages: { dependencies: { '@web/dev-server': '1.0.0' } },
  start(place) {
    const site = path.join(place.folder, 'harbour-site');
    fs.mkdirSync(site);
    fs.writeFileSync(path.join(site, 'quay.html'), '<p>Sandpiper</p>');
    fs.writeFileSync(path.join(site, 'index.html'), '<p>Harbour</p>');
    const args = ['--port', String(place.port), '--hostname', '127.0.0.1', '--root-dir', site];
    args.push('--base-path', '/north-channel', '--app-index', path.join(site, 'index.html'));
    args.push('--preserve-symlinks', '--node-resolve');
    return startPackage('@web/dev-server/dist/bin.js', args, place);
  },
  fill: async (url) => (await (await fetch(`${url}/north-channel/quay.html`)).text()).includes('Sandpiper'),
  ready: async () => true,
  facts: [
    { ask: 'folder that is served', match: 'harbour-site$' },
    { ask: 'beginning of its addresses', value: '/north-channel' },
    { ask: 'page for other addresses', match: 'index\\.html$', key: 'index' },
    { ask: 'address that it listens at', value: '127.0.0.1', key: 'host' },
    { ask: 'whether links are kept as they are', value: true, key: 'symlink' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "root dir"?', check: says('harbour-site') },
    { kind: 'read', words: 'What is the "base path"?', check: says('north-channel') },
  ],
};
