import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import { answers, Conversation, portOf } from '../clients.ts';
import type { FirstApp } from '../first-app.ts';

export const jgroups: FirstApp = {
  name: 'jgroups',
  kind: 'Java: gossip router',
  debian: ['libjgroups-java', 'libcommons-logging-java'],
  isHttp: false,
  start({ port, folder }) {
    const jars = ['jgroups', 'commons-logging'].map((name) => debianFile('jgroups', `usr/share/java/${name}.jar`));
    const args = ['-port', String(port), '-bindaddress', '127.0.0.1', '-backlog', '613', '-jmx'];
    args.push('-solinger', '2345', '-sotimeout', '61234', '-expiry', '717171');
    return startCommand('java', ['-cp', jars.join(':'), 'org.jgroups.stack.GossipRouter', ...args], { port, folder });
  },
  async fill(url) {
    if (!(await answers(portOf(url)))) return false;
    // A client that stays, and has said nothing yet.
    await Conversation.open(portOf(url));
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'backlog', value: 613 },
    { ask: 'milliseconds that a closed connection lingers', value: 2345 },
    { ask: 'milliseconds to wait for data', value: 61_234 },
    { ask: 'milliseconds until an idle connection is closed', value: 717_171 },
    { ask: 'address', value: '127.0.0.1', key: 'bind|address' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "expiry time" of the router?', check: says('717171') },
    { kind: 'act', words: 'Press "stop" of the router.', check: async ({ url }) => !(await answers(portOf(url))) },
  ],
};
