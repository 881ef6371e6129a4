import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startOnScreen, windowTitles } from '../../programs/on-screen.ts';
import type { FirstApp } from '../first-app.ts';

const file = (name: string) => debianFile('gendarme', `usr/lib/${name}`);

export const gendarme: FirstApp = {
  name: 'gendarme',
  kind: 'Mono: Windows Forms, a wizard',
  debian: ['gendarme', 'libmono-system-web-services4.0-cil', 'libmono-sharpzip4.84-cil'],
  isHttp: false,
  start({ folder }) {
    const command = ['mono', file('gendarme/gendarme-wizard.exe')];
    return startOnScreen('env', [`MONO_PATH=${file('mono/4.5')}`, ...command], folder);
  },
  fill: async (url) => (await windowTitles(url)).some((title) => /gendarme/i.test(title)),
  ready: async () => true,
  facts: [
    { ask: 'title of the window', match: 'Gendarme' },
    { ask: 'page that is shown', match: '^Welcome' },
    { ask: 'a file that rules are in', line: 'Gendarme\\.Rules\\.' },
    { ask: 'whether one can go back', value: false, key: 'back' },
    { ask: 'most defects that are reported', match: '^\\d+$', key: 'limit' },
  ],
  tasks: [
    { kind: 'read', words: 'What does the "welcome title" say?', check: says('Welcome to Gendarme') },
    {
      kind: 'act',
      words: 'Press "Next".',
      check: async ({ url }) => (await windowTitles(url)).some((title) => /add files|assembly/i.test(title)),
    },
  ],
};
