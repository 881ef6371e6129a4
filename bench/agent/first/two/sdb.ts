import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startCommand } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const LINES = [
  'bp add at Harbour.cs 417',
  'cp add System.TimeoutException',
  'watch add tide.Level',
  'env set TIDE high-at-noon',
  'config set EvaluationTimeout 2718',
  'watch list',
];

/** Its prompt reads a pipe that stays open; its output is a file beside it. */
let folderNow = '';
const type = (line: string) => fs.appendFileSync(path.join(folderNow, 'input'), `${line}\n`);
const printed = () => fs.readFileSync(path.join(folderNow, 'output.log'), 'utf8');

export const sdb: FirstApp = {
  name: 'sdb',
  kind: 'Mono: debugger on a console',
  debian: ['sdb', 'libicsharpcode-nrefactory-csharp5.0-cil', 'libicsharpcode-nrefactory5.0-cil'],
  isHttp: false,
  start({ folder }) {
    folderNow = folder;
    const shell = 'mkfifo input && exec mono "$0" <> input';
    return startCommand('sh', ['-c', shell, debianFile('sdb', 'usr/lib/sdb/sdb.exe')], { port: 0, folder });
  },
  async fill() {
    if (!printed().includes('(sdb)')) return false;
    if (!fs.existsSync(path.join(folderNow, 'typed'))) for (const line of LINES) type(line);
    fs.writeFileSync(path.join(folderNow, 'typed'), '');
    return true;
  },
  ready: async () => printed().includes("(was '1000')"),
  facts: [
    { ask: 'line of the breakpoint', value: 417, key: 'line' },
    { ask: 'file of the breakpoint', value: 'Harbour.cs' },
    { ask: 'exception that is caught', line: 'System\\.TimeoutException' },
    { ask: 'expression that is watched', value: 'tide.Level' },
    { ask: 'variable of the environment', value: 'high-at-noon' },
  ],
  tasks: [
    { kind: 'read', words: 'At which "line" is the breakpoint of "Harbour.cs"?', check: says('417') },
    {
      kind: 'wait',
      words: 'Wait until there is a watch "ferry.Berth".',
      event: async () => type('watch add ferry.Berth'),
      check: () => true,
    },
  ],
};
