import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startOnScreen, windowTitles } from '../../programs/on-screen.ts';
import type { FirstApp } from '../first-app.ts';

const XYZ = `5
methane of the quay
C 0.000 0.000 0.000
H 0.629 0.629 0.629
H -0.629 -0.629 0.629
H -0.629 0.629 -0.629
H 0.629 -0.629 -0.629
`;

export const jmol: FirstApp = {
  name: 'jmol',
  kind: 'Java: Swing',
  debian: ['libjmol-java', 'libnaga-java'],
  isHttp: false,
  start({ folder }) {
    fs.writeFileSync(path.join(folder, 'quay.xyz'), XYZ);
    const jar = debianFile('jmol', 'usr/share/java/Jmol.jar');
    return startOnScreen('java', [`-Duser.home=${folder}`, '-jar', jar, 'quay.xyz'], folder);
  },
  fill: async (url) => (await windowTitles(url)).some((title) => title.startsWith('quay.xyz')),
  ready: async () => true,
  facts: [
    { ask: 'file', value: 'quay.xyz' },
    { ask: 'name of the model', value: 'methane of the quay' },
    { ask: 'how many atoms', value: 5, key: 'atom|\\bac\\b' },
    { ask: 'how many bonds', value: 4, key: 'bond' },
    { ask: 'version', value: '14.32.83' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the name of the "model"?', check: says('methane of the quay') },
    {
      kind: 'act',
      words: 'Press "Console...".',
      check: async ({ url }) => (await windowTitles(url)).some((title) => title.includes('Console')),
    },
  ],
};
