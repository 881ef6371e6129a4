import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startOnScreen, windowTitles } from '../../programs/on-screen.ts';
import type { FirstApp } from '../first-app.ts';

const ARFF = `@relation harbour-ferries
@attribute seats numeric
@attribute berth {north-2, south-9, east-4}
@attribute crewOnBoard numeric
@data
310, north-2, 12
84, south-9, 5
51, south-9, 4
12, east-4, 2
733, north-2, 31
97, east-4, 6
40, east-4, 3
`;

export const weka: FirstApp = {
  name: 'weka',
  kind: 'Java: Swing',
  debian: ['weka', 'cup'],
  isHttp: false,
  start({ folder }) {
    fs.writeFileSync(path.join(folder, 'ferries.arff'), ARFF);
    const jars = ['weka', 'java_cup'].map((name) => debianFile('weka', `usr/share/java/${name}.jar`));
    const args = ['-cp', jars.join(':'), 'weka.gui.explorer.Explorer', 'ferries.arff'];
    return startOnScreen('java', [`-Duser.home=${folder}`, ...args], folder);
  },
  fill: async (url) => (await windowTitles(url)).includes('Weka Explorer'),
  ready: async () => true,
  facts: [
    { ask: 'relation', value: 'harbour-ferries' },
    { ask: 'an attribute', value: 'crewOnBoard' },
    { ask: 'value of an attribute', value: 'south-9' },
    { ask: 'how many rows', line: '(instance|rows|sum).*\\b7\\b' },
    { ask: 'most seats', value: 733 },
  ],
  tasks: [
    { kind: 'read', words: 'What is the name of the "relation"?', check: says('harbour-ferries') },
    {
      kind: 'act',
      words: 'Press "Edit...".',
      check: async ({ url }) => (await windowTitles(url)).includes('Viewer'),
    },
  ],
};
