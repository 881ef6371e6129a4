import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import { answers, Conversation, portOf } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const XML = '<ferries><ferry berth="north-2">Sandpiper</ferry><ferry berth="south-9">Petrel</ferry></ferries>';

/** Logs in like its own client, and stays. */
async function logIn(url: string, user: string, password: string): Promise<Conversation> {
  const client = await Conversation.open(portOf(url));
  const [realm = '', nonce = ''] = (await client.hear(/\0$/)).replace('\0', '').split(':');
  await client.say(`${user}\0${md5(md5(`${user}:${realm}:${password}`) + nonce)}\0`, /^\0$/);
  return client;
}

/** Result, remarks and a byte that is 0 on success, with a zero after each of the first two. */
const command = (client: Conversation, text: string) => client.say(`${text}\0`, /\0[^\0]*\0\0$/);

let isFilled = false;

export const basex: FirstApp = {
  name: 'basex',
  kind: 'Java: XML database server',
  debian: ['basex'],
  isHttp: false,
  start({ port, folder }) {
    isFilled = false;
    fs.mkdirSync(path.join(folder, 'basex'));
    fs.writeFileSync(path.join(folder, 'ferries.xml'), XML);
    fs.writeFileSync(path.join(folder, 'basex/.basex'), `DBPATH = ${folder}/data\nKEEPALIVE = 431\nPARALLEL = 7\n`);
    const args = ['-cp', debianFile('basex', 'usr/share/java/basex.jar'), 'org.basex.BaseXServer', '-p', String(port)];
    return startCommand('java', [`-Duser.home=${folder}`, ...args, '-n', '127.0.0.1'], { port, folder });
  },
  async fill(url) {
    if (!(await answers(portOf(url)))) return false;
    if (isFilled) return true;
    isFilled = true;
    const admin = await logIn(url, 'admin', 'admin');
    await command(admin, 'CREATE DB harbour ferries.xml');
    await command(admin, 'CREATE USER grace low-tide');
    await command(admin, 'GRANT READ TO grace');
    admin.close();
    const grace = await logIn(url, 'grace', 'low-tide');
    await command(grace, 'OPEN harbour');
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'database that is open', value: 'harbour', key: 'name|db|data|meta' },
    { ask: 'file that it was made of', value: 'ferries.xml' },
    { ask: 'who is logged in', line: '(user|name|client|session).*grace' },
    { ask: 'how long a session is kept', value: 431, key: 'keep' },
    { ask: 'how many transactions at once', value: 7, key: 'parallel' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the option "KEEPALIVE"?', check: says('431') },
    {
      kind: 'act',
      words: 'Press "stop" of the server.',
      check: async ({ url }) => !(await answers(portOf(url))),
    },
  ],
};
