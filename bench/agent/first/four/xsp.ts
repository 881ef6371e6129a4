import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const folderOf = () => debianFile('xsp', 'usr/lib/mono/4.5');

export const xsp: FirstApp = {
  name: 'xsp',
  kind: 'Mono: web server',
  debian: [
    'mono-xsp4',
    'mono-xsp4-base',
    'libmono-system-web4.0-cil',
    'libmono-system-web-applicationservices4.0-cil',
    'libmono-system-web-services4.0-cil',
    'libmono-system-componentmodel-dataannotations4.0-cil',
    'libmono-system-design4.0-cil',
    'libmono-system-ldap4.0-cil',
    'libmono-ldap4.0-cil',
    'libmono-sqlite4.0-cil',
  ],
  isHttp: false,
  start({ port, folder }) {
    const site = path.join(folder, 'harbour-site');
    fs.mkdirSync(site);
    fs.writeFileSync(path.join(site, 'quay.txt'), 'Sandpiper');
    const args = [path.join(folderOf(), 'xsp4.exe'), '--port', String(port), '--address', '127.0.0.1', '--nonstop'];
    const env = { MONO_PATH: folderOf(), TMPDIR: folder };
    const rest = ['--root', site, '--applications', `/:${site}`, '--backlog', '417', '--no-hidden'];
    return startCommand('mono', [...args, ...rest], { port, folder, env });
  },
  fill: async (url) => (await fetch(`${url}/quay.txt`)).status > 0,
  ready: async () => true,
  facts: [
    { ask: 'folder of the site', match: 'harbour-site/?$' },
    { ask: 'where it listens', match: '^\\d{4,5}$', key: 'port' },
    { ask: 'address that it listens on', match: '^127\\.0\\.0\\.1(?::\\d+)?$' },
    { ask: 'most connections that wait', value: 417 },
    { ask: 'whether it runs on without a terminal', value: true, key: 'nonstop' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "backlog"?', check: says('417') },
    { kind: 'read', words: 'Which "root" folder is served?', check: says('harbour-site') },
  ],
};
