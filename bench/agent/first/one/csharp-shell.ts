import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const file = (name: string) => debianFile('csharp-shell', `usr/lib/mono/4.5/${name}`);
const LINES = [
  'var ferry = "Sandpiper of the north channel";',
  'int seats = 310;',
  'var berths = new System.Collections.Generic.Dictionary<string, string> { { "Petrel", "south-9" } };',
  'var crew = new System.Collections.Generic.List<string> { "Grace Tide", "Otto Pilot" };',
  'class Light { public string Colour = "green"; public int Seconds = 9; }',
  'var light = new Light();',
  'print("filled");',
];

/** Its prompt reads a pipe that stays open; its output is a file beside it. */
let folderNow = '';
const type = (line: string) => fs.appendFileSync(path.join(folderNow, 'input'), `${line}\n`);
const printed = () => fs.readFileSync(path.join(folderNow, 'output.log'), 'utf8');

export const csharpShell: FirstApp = {
  name: 'csharp-shell',
  kind: 'Mono: C# shell',
  debian: ['mono-csharp-shell', 'libmono-csharp4.0c-cil', 'libmono-management4.0-cil'],
  isHttp: false,
  start({ folder }) {
    folderNow = folder;
    const shell = 'mkfifo input && exec mono "$0" <> input';
    const env = { MONO_PATH: path.dirname(file('Mono.CSharp.dll')) };
    return startCommand('sh', ['-c', shell, file('csharp.exe')], { port: 0, folder, env });
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
    { ask: 'a number', value: 310, key: 'seats' },
    { ask: 'an entry of a dictionary', value: 'south-9' },
    { ask: 'an item of a list', value: 'Otto Pilot' },
    { ask: 'a field of an object', value: 9, key: 'seconds' },
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
