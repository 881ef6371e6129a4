import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const SETTINGS = {
  basePath: '.',
  files: ['harbour/*.js'],
  browsers: [],
  reporters: ['dots'],
  listenAddress: '127.0.0.1',
  browserNoActivityTimeout: 47_110,
  proxies: { '/north-channel/': '/base/harbour/' },
  client: { args: ['--tide=low'] },
};

export const karma: FirstApp = {
  name: 'karma',
  kind: 'Node: connect, socket.io',
  packages: { dependencies: { karma: '6.4.4' } },
  start(place) {
    fs.mkdirSync(path.join(place.folder, 'harbour'));
    fs.writeFileSync(path.join(place.folder, 'harbour/sandpiper.js'), 'window.sandpiper = 1;\n');
    const config = { ...SETTINGS, port: place.port };
    fs.writeFileSync(
      path.join(place.folder, 'karma.conf.js'),
      `module.exports = (config) => config.set(${JSON.stringify(config)});\n`,
    );
    return startPackage('karma/bin/karma', ['start', 'karma.conf.js', '--no-single-run'], place);
  },
  // Its page is left alone: it would wait for the browser to stay.
  isHttp: false,
  async fill(url) {
    const response = await fetch(`${url}/base/harbour/sandpiper.js`, { signal: AbortSignal.timeout(5000) });
    return (await response.text()).includes('sandpiper');
  },
  ready: async () => true,
  facts: [
    { ask: 'files that it serves', match: 'harbour/\\*\\.js$' },
    { ask: 'a file that was found', match: 'harbour/sandpiper\\.js$' },
    { ask: 'milliseconds that a browser may be silent', value: 47_110 },
    { ask: 'what stands for another address', line: 'north-channel' },
    { ask: 'what clients are told', value: '--tide=low' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "browser no activity timeout"?', check: says('47110') },
    { kind: 'read', words: 'Which "args" has the "client"?', check: says('--tide=low') },
  ],
};
