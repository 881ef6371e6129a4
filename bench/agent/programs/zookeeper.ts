import { execFile } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { type App, says } from '../app.ts';
import { debianFile } from '../install.ts';
import { startCommand } from '../start.ts';

const run = promisify(execFile);
const JARS =
  'zookeeper zookeeper-jute netty-all slf4j-api slf4j-simple metrics-core snappy-java jline2 commons-cli log4j-1.2';
const classPath = () =>
  JARS.split(' ')
    .map((jar) => debianFile('zookeeper', `usr/share/java/${jar}.jar`))
    .join(':');

/** Its own command line. */
async function cli(url: string, ...command: string[]): Promise<string> {
  const args = ['-cp', classPath(), 'org.apache.zookeeper.ZooKeeperMain', '-server', new URL(url).host, ...command];
  const { stdout, stderr } = await run('java', args, { timeout: 30_000 });
  return stdout + stderr;
}

/** One of its four-letter words. */
function ask(url: string, word: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(word));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(text));
  });
}

export const zookeeper: App = {
  name: 'zookeeper',
  debian: [
    'libzookeeper-java',
    'libnetty-java',
    'libslf4j-java',
    'libdropwizard-metrics-java',
    'libsnappy-java',
    'libjline2-java',
    'libcommons-cli-java',
    'liblog4j1.2-java',
  ],
  isHttp: false,
  start({ port, folder }) {
    const settings = [`clientPort=${port}`, 'clientPortAddress=127.0.0.1', 'tickTime=2000', `dataDir=${folder}/data`];
    settings.push('admin.enableServer=false', '4lw.commands.whitelist=*', 'maxClientCnxns=60');
    fs.writeFileSync(path.join(folder, 'zoo.cfg'), settings.join('\n'));
    const main = 'org.apache.zookeeper.server.quorum.QuorumPeerMain';
    return startCommand('java', ['-cp', classPath(), main, 'zoo.cfg'], { port, folder });
  },
  async fill(url) {
    if ((await ask(url, 'ruok')) !== 'imok') return false;
    await cli(url, 'create', '/ferry', 'Sandpiper').catch(() => '');
    await cli(url, 'create', '/pilot', 'Grace-of-the-north-channel').catch(() => '');
    return /Node count: [67]/.test(await ask(url, 'srvr'));
  },
  ready: async () => true,
  tasks: [
    { kind: 'read', words: 'What is the data of the node "pilot"?', check: says('Grace-of-the-north') },
    {
      kind: 'act',
      words: 'Set the "MaxClientCnxnsPerHost" to "77".',
      check: async ({ url }) => /maxClientCnxns=77/.test(await ask(url, 'conf')),
    },
    {
      kind: 'wait',
      words: 'Wait until there is a node "kittiwake".',
      event: ({ url }) => cli(url, 'create', '/kittiwake', 'north-3'),
      check: async ({ url }) => (await cli(url, 'ls', '/')).includes('kittiwake'),
    },
  ],
};
