import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startOnScreen, windowTitles } from '../../programs/on-screen.ts';
import type { FirstApp } from '../first-app.ts';

const WIDTH = 137;
const HEIGHT = 59;

function picture(): Buffer {
  const pixels = Array.from({ length: WIDTH * HEIGHT }, (_, at) => ((at % WIDTH) + Math.floor(at / WIDTH)) % 200);
  return Buffer.concat([Buffer.from(`P5\n${WIDTH} ${HEIGHT}\n255\n`), Buffer.from(pixels)]);
}

export const imagej: FirstApp = {
  name: 'imagej',
  kind: 'Java: AWT windows',
  debian: ['libij-java'],
  isHttp: false,
  start({ folder }) {
    fs.mkdirSync(path.join(folder, 'pictures'));
    fs.writeFileSync(path.join(folder, 'pictures/harbour.pgm'), picture());
    const args = ['-cp', debianFile('imagej', 'usr/share/java/ij.jar'), 'ij.ImageJ', 'pictures/harbour.pgm'];
    return startOnScreen('java', [`-Duser.home=${folder}`, ...args], folder);
  },
  fill: async (url) => (await windowTitles(url)).some((title) => title.startsWith('harbour.pgm')),
  ready: async () => true,
  facts: [
    { ask: 'picture', value: 'harbour.pgm' },
    { ask: 'its width', value: WIDTH, key: 'width' },
    { ask: 'its height', value: HEIGHT, key: 'height' },
    { ask: 'its folder', match: 'pictures/?$' },
    { ask: 'brightest pixel', value: 194, key: 'max' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the width of the image "harbour.pgm"?', check: says(String(WIDTH)) },
    {
      kind: 'act',
      words: 'Press "Histogram".',
      check: async ({ url }) => (await windowTitles(url)).some((title) => title.startsWith('Histogram of')),
    },
  ],
};
