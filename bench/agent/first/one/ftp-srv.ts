import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import { answers, Conversation, portOf } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

const USERS = ['grace.tide', 'otto.pilot'];
const passwordOf = (user: string) => `${user}-at-low-tide`;

/** Logs in and stays. */
async function logIn(url: string, user: string, folder: string): Promise<void> {
  const ftp = await Conversation.open(portOf(url));
  await ftp.hear(/^220 /m);
  await ftp.say(`USER ${user}\r\n`, /^331 /);
  await ftp.say(`PASS ${passwordOf(user)}\r\n`, /^230 /);
  await ftp.say(`CWD ${folder}\r\n`, /^250 /);
}

export const ftpSrv: FirstApp = {
  name: 'ftp-srv',
  kind: 'Node: TCP (FTP)',
  packages: { dependencies: { 'ftp-srv': '4.6.3' } },
  isHttp: false,
  start(place) {
    const { folder, port } = place;
    for (const name of ['quay', 'lights']) fs.mkdirSync(path.join(folder, 'harbour-files', name), { recursive: true });
    const users = USERS.map((username) => ({ username, password: passwordOf(username) }));
    fs.writeFileSync(path.join(folder, 'users.json'), JSON.stringify(users));
    const args = [`ftp://127.0.0.1:${port}`, '--root', `${folder}/harbour-files`, '--credentials', 'users.json'];
    args.push('--pasv-url', '127.0.0.1', '--pasv-min', '40110', '--pasv-max', '40190', '--read-only');
    return startPackage('ftp-srv/bin/index.js', args, place);
  },
  async fill(url) {
    if (!(await answers(portOf(url)))) return false;
    await logIn(url, 'grace.tide', 'quay');
    await logIn(url, 'otto.pilot', 'lights');
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'who is logged in', value: 'grace.tide', key: 'user' },
    { ask: 'in which folder they are', match: '^/quay$' },
    { ask: 'who else is', value: 'otto.pilot', key: 'user' },
    { ask: 'last port for passive connections', value: 40_190 },
    { ask: 'folder that is served', match: 'harbour-files$' },
  ],
  tasks: [
    { kind: 'read', words: 'Which "cwd" has the connection of the user "grace.tide"?', check: says('/quay') },
    {
      kind: 'act',
      words: 'Press "close" of the server.',
      check: async ({ url }) => !(await answers(portOf(url))),
    },
  ],
};
