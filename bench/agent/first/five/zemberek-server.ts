import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import { answers, Conversation, portOf } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

const JARS = [
  'zemberek-server-0.7.1',
  'zemberek',
  'zemberek-tr',
  'mina-core',
  'slf4j-api',
  'slf4j-nop',
  'dbus',
  'unix',
];
const classPath = () => JARS.map((name) => debianFile('zemberek-server', `usr/share/java/${name}.jar`)).join(':');
let isFilled = false;

export const zemberekServer: FirstApp = {
  name: 'zemberek-server',
  kind: 'Java: TCP server (MINA), speller',
  debian: [
    'zemberek-server',
    'libzemberek-java',
    'libzemberek-tr-java',
    'libmina-java',
    'libslf4j-java',
    'libdbus-java',
    'libunixsocket-java',
  ],
  isHttp: false,
  start({ port, folder }) {
    isFilled = false;
    const file = path.join(folder, 'zemberek.conf');
    const settings = [`PORT_NUMBER = ${port}`, 'USE_DBUS = no', 'USE_SOCKETS = yes', 'ALLOW_REMOTE = yes'];
    fs.writeFileSync(file, [...settings, 'BUS_NAME = harbour.words.speller', ''].join('\n'));
    const args = ['-cp', classPath(), `-DConfigFile=${file}`, 'net.zemberekserver.server.ZemberekServer'];
    return startCommand('java', args, { port, folder });
  },
  async fill(url) {
    if (!isFilled) {
      if (!(await answers(portOf(url)))) return false;
      // A client that has asked for a word, and stays.
      await (await Conversation.open(portOf(url))).say('5 kalem', /\S/);
    }
    isFilled = true;
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'name on the bus', value: 'harbour.words.speller' },
    { ask: 'whether others may connect', value: true, key: 'remote' },
    { ask: 'whether the bus is used', value: false, key: 'dbus' },
    { ask: 'language', value: 'tr', key: 'lang|dil|locale|ad' },
    { ask: 'who is connected', match: '127\\.0\\.0\\.1', key: 'session|address' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "bus name"?', check: says('harbour.words.speller') },
    { kind: 'read', words: 'Is "allow remote" set?', check: says('true') },
  ],
};
