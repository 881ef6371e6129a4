import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

export const revealMd: FirstApp = {
  name: 'reveal-md',
  kind: 'Node: Express, modules',
  packages: { dependencies: { 'reveal-md': '6.1.4' } },
  start(place) {
    const slides = path.join(place.folder, 'harbour-slides');
    fs.mkdirSync(slides);
    fs.writeFileSync(path.join(slides, 'tides.md'), '# Tides\n\n---\n\n# Ferries\n');
    const options = [
      '--port',
      String(place.port),
      '--host',
      '127.0.0.1',
      '--theme',
      'solarized',
      '--disable-auto-open',
    ];
    options.push('--title', 'Harbour of the north', '--highlight-theme', 'github', '--assets-dir', '_quay');
    return startPackage('reveal-md/bin/reveal-md.js', [slides, ...options], place);
  },
  fill: async (url) => (await (await fetch(`${url}/tides.md`)).text()).includes('Tides'),
  ready: async () => true,
  facts: [
    { ask: 'folder of the slides', match: 'harbour-slides/?$' },
    { ask: 'title', value: 'Harbour of the north' },
    { ask: 'theme', value: 'solarized' },
    { ask: 'colours of code', value: 'github', key: 'highlight' },
    { ask: 'where assets are', value: '_quay' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "theme"?', check: says('solarized') },
    { kind: 'read', words: 'What is the "assets dir"?', check: says('_quay') },
  ],
};
