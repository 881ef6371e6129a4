import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startOnScreen, windowTitles } from '../../programs/on-screen.ts';
import type { FirstApp } from '../first-app.ts';

const file = (name: string) => debianFile('openmcdf', `usr/lib/${name}`);

export const openmcdf: FirstApp = {
  name: 'openmcdf',
  kind: 'Mono: Windows Forms, no file open',
  debian: ['openmcdf', 'libhexbox1.5-cil', 'libmono-i18n-rare4.0-cil'],
  isHttp: false,
  start({ folder }) {
    const libraries = ['cli/Be.Windows.Forms.HexBox', 'mono/4.5'].map(file).join(':');
    const command = ['mono', file('OpenMCDF/StucturedStorageExplorer.exe')];
    return startOnScreen('env', [`MONO_PATH=${libraries}`, ...command], folder);
  },
  fill: async (url) => (await windowTitles(url)).some((title) => /structured storage/i.test(title)),
  ready: async () => true,
  facts: [
    { ask: 'title of the window', match: 'Structured Storage' },
    { ask: 'whether bytes may be changed', match: '^(?:true|false)$', key: 'read.?only' },
    { ask: 'bytes in a line', value: 16, key: 'bytesperline' },
    { ask: 'a button', line: '\\bOpen\\b' },
    { ask: 'whether saving is possible', value: false, key: 'save.*enabled|enabled.*save' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "title" of the window?', check: says('Structured Storage') },
    {
      kind: 'act',
      words: 'Press "Open".',
      check: async ({ url }) => (await windowTitles(url)).some((title) => /^open/i.test(title)),
    },
  ],
};
