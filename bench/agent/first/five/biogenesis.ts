import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startOnScreen, windowTitles } from '../../programs/on-screen.ts';
import type { FirstApp } from '../first-app.ts';

export const biogenesis: FirstApp = {
  name: 'biogenesis',
  kind: 'Java: Swing, a simulation that runs',
  debian: ['biogenesis'],
  isHttp: false,
  start({ folder }) {
    const jar = debianFile('biogenesis', 'usr/share/biogenesis/biogenesis.jar');
    return startOnScreen('java', [`-Duser.home=${folder}`, '-Duser.language=en', '-jar', jar, '4711'], folder);
  },
  fill: async (url) => (await windowTitles(url)).includes('Biogenesis'),
  ready: async () => true,
  facts: [
    { ask: 'title of the window', value: 'Biogenesis' },
    { ask: 'width of the world', value: 1000, key: 'width' },
    { ask: 'organisms at the beginning', value: 15, key: 'initial.?organisms' },
    { ask: 'how many live now', match: '^[1-9]\\d{0,3}$', key: 'population' },
    { ask: 'how much oxygen there is', match: '^\\d+(?:\\.\\d+)?(?:E-?\\d+)?$', key: '\\bo2' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "initial energy" of an organism?', check: says('50') },
    {
      kind: 'act',
      words: 'Press "Statistics".',
      check: async ({ url }) => (await windowTitles(url)).some((title) => /statistics/i.test(title)),
    },
  ],
};
