import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const LINES = [
  'ferry = "Sandpiper of the north channel";',
  'int seats = 310;',
  'berths = new java.util.HashMap(); berths.put("Petrel", "south-9");',
  'crew = new java.util.ArrayList(); crew.add("Grace Tide"); crew.add("Otto Pilot");',
  'light() { colour = "green"; seconds = 9; return this; }',
  'lamp = light();',
  'print("filled");',
];

/** Its prompt reads a pipe that stays open; its output is a file beside it. */
let folderNow = '';
const type = (line: string) => fs.appendFileSync(path.join(folderNow, 'input'), `${line}\n`);
const printed = () => fs.readFileSync(path.join(folderNow, 'output.log'), 'utf8');

export const beanshell: FirstApp = {
  name: 'beanshell',
  kind: 'Java: shell',
  debian: ['libbsh-java'],
  isHttp: false,
  start({ folder }) {
    folderNow = folder;
    const shell = 'mkfifo input && exec java -cp "$0" bsh.Interpreter <> input';
    return startCommand('sh', ['-c', shell, debianFile('beanshell', 'usr/share/java/bsh.jar')], { port: 0, folder });
  },
  async fill() {
    if (!fs.existsSync(path.join(folderNow, 'input'))) return false;
    if (!fs.existsSync(path.join(folderNow, 'typed'))) for (const line of LINES) type(line);
    fs.writeFileSync(path.join(folderNow, 'typed'), '');
    return true;
  },
  ready: async () => printed().includes('filled'),
  facts: [
    { ask: 'a text', value: 'Sandpiper of the north channel' },
    { ask: 'a number', value: 310 },
    { ask: 'an entry of a map', value: 'south-9' },
    { ask: 'an item of a list', value: 'Otto Pilot' },
    { ask: 'a field of an object', value: 'green', key: 'colour' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the berth of "Petrel"?', check: says('south-9') },
    {
      kind: 'wait',
      words: 'Wait until the ferry is "Kittiwake of the south channel".',
      event: async () => type('ferry = "Kittiwake of the south channel";'),
      check: () => true,
    },
  ],
};
