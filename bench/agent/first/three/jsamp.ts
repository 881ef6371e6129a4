import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

let folderNow = '';
const lockFile = () => path.join(folderNow, '.samp');
const hubAddress = () => /^samp\.hub\.xmlrpc\.url=(.*)$/m.exec(fs.readFileSync(lockFile(), 'utf8'))?.[1] ?? '';

const text = (value: string) => `<param><value><string>${value}</string></value></param>`;
const map = (entries: Readonly<Record<string, string>>) =>
  `<param><value><struct>${Object.entries(entries)
    .map(([name, value]) => `<member><name>${name}</name><value><string>${value}</string></value></member>`)
    .join('')}</struct></value></param>`;

async function call(method: string, parameters: string): Promise<string> {
  const body = `<?xml version="1.0"?><methodCall><methodName>samp.hub.${method}</methodName><params>${parameters}</params></methodCall>`;
  const response = await fetch(hubAddress(), { method: 'POST', headers: { 'content-type': 'text/xml' }, body });
  return response.text();
}

/** A participant with a description of itself. */
async function join(name: string, description: string): Promise<void> {
  const answer = await call('register', text('low-tide'));
  const key = /samp\.private-key<\/name>\s*<value>(?:<string>)?([^<]+)/.exec(answer)?.[1];
  if (key === undefined) throw new Error(answer);
  await call('declareMetadata', text(key) + map({ 'samp.name': name, 'samp.description.text': description }));
}

let isFilled = false;

export const jsamp: FirstApp = {
  name: 'jsamp',
  kind: 'Java: message hub over HTTP',
  debian: ['libjsamp-java'],
  isHttp: false,
  start({ folder }) {
    isFilled = false;
    folderNow = folder;
    const jar = debianFile('jsamp', 'usr/share/java/jsamp.jar');
    const args = [`-Duser.home=${folder}`, '-jar', jar, 'hub', '-mode', 'no-gui', '-profiles', 'std'];
    return startCommand('java', [...args, '-std:secret', 'low-tide'], { port: 0, folder });
  },
  async fill() {
    if (!fs.existsSync(lockFile())) return false;
    if (!isFilled) {
      await join('Sandpiper Charts', 'draws the north channel');
      await join('Petrel Tables', 'counts the ferries of the south');
    }
    isFilled = true;
    return true;
  },
  ready: async () => true,
  facts: [
    { ask: 'who takes part', value: 'Sandpiper Charts' },
    { ask: 'who else takes part', value: 'Petrel Tables' },
    { ask: 'what it is for', value: 'counts the ferries of the south' },
    { ask: 'number of the next client or message', match: '^c[12]$' },
    { ask: 'where it is reached', match: '^http://[^/]+:\\d+/xmlrpc' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "description" of "Petrel Tables"?', check: says('counts the ferries') },
    {
      kind: 'wait',
      words: 'Wait until "Kittiwake Viewer" takes part.',
      event: () => join('Kittiwake Viewer', 'shows the harbour'),
      check: () => true,
    },
  ],
};
