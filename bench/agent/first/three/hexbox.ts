import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startOnScreen, windowTitles } from '../../programs/on-screen.ts';
import type { FirstApp } from '../first-app.ts';

const file = (name: string) => debianFile('hexbox', `usr/lib/${name}`);

export const hexbox: FirstApp = {
  name: 'hexbox',
  kind: 'Mono: Windows Forms, no file open',
  debian: ['hexbox', 'libhexbox1.5-cil', 'libmono-i18n-rare4.0-cil'],
  isHttp: false,
  start({ folder }) {
    const libraries = ['cli/Be.Windows.Forms.HexBox', 'mono/4.5'].map(file).join(':');
    const command = ['mono', file('cli/Be.HexEditor/Be.HexEditor.exe')];
    return startOnScreen('env', [`MONO_PATH=${libraries}`, ...command], folder);
  },
  fill: async (url) => (await windowTitles(url)).some((title) => title === 'ANSI (Default)'),
  ready: async () => true,
  facts: [
    { ask: 'title of the window', value: 'Be.HexEditor' },
    { ask: 'encoding', value: 'ANSI (Default)' },
    { ask: 'another encoding', line: 'EBCDIC' },
    { ask: 'whether recent files can be opened', value: false, key: 'recent.*enabled' },
    { ask: 'bytes in a line', value: 16, key: 'bytesperline' },
  ],
  tasks: [
    { kind: 'read', words: 'Which "encoding" is chosen?', check: says('ANSI') },
    {
      kind: 'act',
      words: 'Press "About".',
      check: async ({ url }) => (await windowTitles(url)).some((title) => /about/i.test(title)),
    },
  ],
};
