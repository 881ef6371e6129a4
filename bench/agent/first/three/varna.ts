import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startOnScreen, windowTitles } from '../../programs/on-screen.ts';
import type { FirstApp } from '../first-app.ts';

export const varna: FirstApp = {
  name: 'varna',
  kind: 'Java: Swing',
  debian: ['varna'],
  isHttp: false,
  start({ folder }) {
    const jar = debianFile('varna', 'usr/share/java/varna.jar');
    const args = ['-cp', jar, 'fr.orsay.lri.varna.applications.VARNAGUI'];
    return startOnScreen('java', [`-Duser.home=${folder}`, ...args], folder);
  },
  fill: async (url) => (await windowTitles(url)).includes('VARNA GUI'),
  ready: async () => true,
  facts: [
    { ask: 'title of the window', value: 'VARNA GUI' },
    { ask: 'field for the sequence', match: '^[ACGU]{8,}', key: 'seq' },
    { ask: 'structure of it', match: '^[().]{8,}$' },
    { ask: 'a structure in the list', value: 'User Struct' },
    { ask: 'what a button does', line: '\\bUpdate\\b' },
  ],
  tasks: [
    {
      kind: 'read',
      words: 'What is the "Str" of the molecule?',
      check: (_, answer) => /[().]{8,}/.test(answer),
    },
    { kind: 'read', words: 'Which "structures" are in the list?', check: says('User Struct') },
  ],
};
