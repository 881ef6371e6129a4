import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import { answers, Conversation, portOf } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

const BASE = 'dc=harbour,dc=example';
const user = (name: string, mail: string, title: string) => ({
  dn: `cn=${name},${BASE}`,
  objectName: `cn=${name},${BASE}`,
  attributes: { cn: name, mail, title, objectClass: 'person' },
});

export const ldapServerMock: FirstApp = {
  name: 'ldap-server-mock',
  kind: 'Node: TCP (LDAP)',
  packages: { dependencies: { 'ldap-server-mock': '6.0.1' } },
  isHttp: false,
  start(place) {
    const write = (name: string, value: unknown) =>
      fs.writeFileSync(path.join(place.folder, name), JSON.stringify(value));
    write('conf.json', { port: place.port, searchBase: BASE });
    write('users.json', [
      user('grace.tide', 'grace@tides.example', 'keeper of the north light'),
      user('otto.pilot', 'otto@pilots.example', 'pilot of the channel'),
    ]);
    return startPackage('ldap-server-mock/server.js', ['--conf=conf.json', '--database=users.json'], place);
  },
  async fill(url) {
    if (!(await answers(portOf(url)))) return false;
    // Two clients that stay.
    await Conversation.open(portOf(url));
    await Conversation.open(portOf(url));
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'a user', value: 'grace.tide' },
    { ask: 'their address', value: 'grace@tides.example' },
    { ask: 'title of another', value: 'pilot of the channel' },
    { ask: 'base of searches', match: `^${BASE.replaceAll(',', ', ?')}$` },
    {
      ask: 'connections',
      line: '(socket|connection).*remoteAddress.* = .*127\\.0\\.0\\.1|(sockets|connections)\\b.* = 2$',
    },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "mail" of the user "otto.pilot"?', check: says('otto@pilots.example') },
    { kind: 'act', words: 'Press "stop" of the server.', check: async ({ url }) => !(await answers(portOf(url))) },
  ],
};
