import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { startCommand } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

/** As its users write scripts: it answers, and keeps what it was told. */
const SCRIPT = `export default (robot) => {
  robot.hear(/berth of (\\\\w+) is (\\\\S+)/i, async (res) => {
    const berths = robot.brain.get('berths') ?? {};
    berths[res.match[1]] = res.match[2];
    robot.brain.set('berths', berths);
    await res.reply('noted');
  });
  robot.router.get('/tide', (_request, response) => response.end('low'));
};
`;

let folderNow = '';
const type = (line: string) => fs.appendFileSync(path.join(folderNow, 'input'), `${line}\n`);
const printed = () => fs.readFileSync(path.join(folderNow, 'output.log'), 'utf8');
let isTyped = false;

export const hubot: FirstApp = {
  name: 'hubot',
  kind: 'Node: chat robot, Express',
  packages: { dependencies: { hubot: '14.1.0' } },
  isHttp: false,
  start({ port, folder, modules }) {
    isTyped = false;
    folderNow = folder;
    fs.mkdirSync(path.join(folder, 'scripts'));
    fs.writeFileSync(path.join(folder, 'scripts/berths.mjs'), SCRIPT.replaceAll('\\\\', '\\'));
    // What it prints has to be a pipe.
    const shell = 'mkfifo input output && { cat output >> output.log & } && exec "$0" "$@" <> input > output';
    const args = ['--adapter', 'Shell', '--name', 'harbourmaster', '--alias', 'hm'];
    const robot = [process.execPath, path.join(modules, 'hubot/bin/Hubot.mjs'), ...args];
    const env = { EXPRESS_PORT: String(port), PORT: String(port), EXPRESS_BIND_ADDRESS: '127.0.0.1' };
    return startCommand('sh', ['-c', shell, ...robot], { port, folder, env });
  },
  async fill(url) {
    if ((await (await fetch(`${url}/tide`)).text()) !== 'low') return false;
    if (!isTyped) type('berth of Sandpiper is north-2');
    isTyped = true;
    return printed().includes('noted');
  },
  ready: async () => true,
  facts: [
    { ask: 'name of the robot', value: 'harbourmaster' },
    { ask: 'what else it is called', value: 'hm', key: 'alias' },
    { ask: 'what it remembers', value: 'north-2', key: 'sandpiper' },
    { ask: 'who talks to it', value: 'Shell', key: 'users|name' },
    { ask: 'what it listens for', line: 'berth of' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the berth of "Sandpiper"?', check: says('north-2') },
    {
      kind: 'wait',
      words: 'Wait until the berth of "Petrel" is "south-9".',
      event: async () => type('berth of Petrel is south-9'),
      check: () => true,
    },
  ],
};
