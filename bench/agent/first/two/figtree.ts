import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startOnScreen, windowTitles } from '../../programs/on-screen.ts';
import type { FirstApp } from '../first-app.ts';

const TREE = '((Sandpiper:0.31,Petrel:0.84):0.12,(Kittiwake:0.5,Tern:0.17):0.2);\n';
const JARS = 'figtree jam jebl itext5 batik-all javax.activation';
const frames = async (url: string) => (await windowTitles(url)).filter((title) => title.startsWith('FigTree v')).length;

export const figtree: FirstApp = {
  name: 'figtree',
  kind: 'Java: Swing',
  debian: ['figtree', 'libjam-java', 'libjebl2-java', 'libbatik-java', 'libitext5-java', 'libactivation-java'],
  isHttp: false,
  start({ folder }) {
    fs.writeFileSync(path.join(folder, 'ferries.tree'), TREE);
    const jars = JARS.split(' ').map((name) => debianFile('figtree', `usr/share/java/${name}.jar`));
    const args = ['-cp', jars.join(':'), 'figtree.application.FigTreeApplication', 'ferries.tree'];
    return startOnScreen('java', [`-Duser.home=${folder}`, ...args], folder);
  },
  fill: async (url) => (await windowTitles(url)).some((title) => title.includes('ferries.tree')),
  ready: async () => true,
  facts: [
    { ask: 'a leaf of the tree', value: 'Sandpiper' },
    { ask: 'another leaf', value: 'Kittiwake' },
    { ask: 'length of a branch', value: 0.84 },
    { ask: 'file', value: 'ferries.tree' },
    { ask: 'version', match: '1\\.4\\.4' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the length of the branch to "Petrel"?', check: says('0.84') },
    { kind: 'act', words: 'Press "New".', check: async ({ url }) => (await frames(url)) === 2 },
  ],
};
