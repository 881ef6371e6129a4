import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import { portOf } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

const run = promisify(execFile);
const file = (name: string) => debianFile('nailgun', name);
const VERSION = 'com.martiansoftware.nailgun.builtins.NGVersion';

/** Its own client. */
async function ng(url: string, ...args: string[]): Promise<string> {
  const server = ['--nailgun-server', '127.0.0.1', '--nailgun-port', String(portOf(url))];
  const { stdout, stderr } = await run(file('usr/bin/ng-nailgun'), [...server, ...args], { timeout: 10_000 });
  return stdout + stderr;
}

let isFilled = false;

export const nailgun: FirstApp = {
  name: 'nailgun',
  kind: 'Java: TCP server',
  debian: ['nailgun', 'libjna-java', 'libjna-platform-java'],
  isHttp: false,
  start({ port, folder }) {
    isFilled = false;
    const jars = ['nailgun-server', 'jna', 'jna-platform'].map((name) => file(`usr/share/java/${name}.jar`));
    const args = ['-cp', jars.join(':'), 'com.martiansoftware.nailgun.NGServer', `127.0.0.1:${port}`, '43210'];
    return startCommand('java', args, { port, folder });
  },
  async fill(url) {
    if (isFilled) return true;
    await ng(url, 'ng-alias', 'sandpiper', VERSION);
    for (let at = 0; at < 5; at++) await ng(url, 'sandpiper');
    isFilled = true;
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'alias', line: 'sandpiper' },
    { ask: 'class that ran', line: 'NGVersion' },
    { ask: 'how often it ran', value: 5, key: 'run|count|stat' },
    { ask: 'milliseconds between signs of life', value: 43_210 },
    { ask: 'whether classes can be run by name', value: true, key: 'allow' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "heartbeat timeout" of the server?', check: says('43210') },
    {
      kind: 'act',
      words: 'Set "allow nails by class name" to "false".',
      check: ({ url }) =>
        ng(url, VERSION).then(
          (text) => !text.includes('NailGun server version'),
          () => true,
        ),
    },
  ],
};
