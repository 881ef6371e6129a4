import { execFile, execFileSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import { portOf } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

const run = promisify(execFile);
const JARS = ['org.eclipse.jgit', 'org.eclipse.jgit.pgm', 'org.eclipse.jgit.archive', 'org.eclipse.jgit.ui'];
JARS.push(
  'org.eclipse.jgit.lfs',
  'org.eclipse.jgit.http.apache',
  'args4j',
  'slf4j-api',
  'slf4j-nop',
  'jsch',
  'javaewah',
);
const classPath = () => JARS.map((name) => debianFile('jgit', `usr/share/java/${name}.jar`)).join(':');

export const jgit: FirstApp = {
  name: 'jgit',
  kind: 'Java: git server, a thread for each client',
  debian: ['jgit-cli', 'libjgit-java', 'libargs4j-java', 'libslf4j-java', 'libjsch-java', 'libjavaewah-java'],
  isHttp: false,
  start({ port, folder }) {
    execFileSync('git', ['init', '-q', '--bare', path.join(folder, 'harbour-repositories/ferries.git')]);
    const args = ['daemon', '--port', String(port), '--listen', '127.0.0.1', '--timeout', '47', '--export-all'];
    args.push('--enable', 'receive-pack', path.join(folder, 'harbour-repositories'));
    return startCommand('java', ['-cp', classPath(), 'org.eclipse.jgit.pgm.Main', ...args], { port, folder });
  },
  async fill(url) {
    await run('git', ['ls-remote', `git://127.0.0.1:${portOf(url)}/ferries.git`], { timeout: 10_000 });
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'folder of the repositories', match: 'harbour-repositories$' },
    { ask: 'seconds that a client may be silent', value: 47, key: 'timeout' },
    { ask: 'whether all repositories may be read', value: true, key: 'export' },
    { ask: 'a service', match: '^(?:git-)?receive-pack$' },
    { ask: 'repository that was opened', line: 'ferries' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "timeout" of the daemon?', check: says('47') },
    { kind: 'read', words: 'Is "receive-pack" enabled?', check: says('true') },
  ],
};
