import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { startOnScreen, windowTitles } from '../../programs/on-screen.ts';
import type { FirstApp } from '../first-app.ts';

export const pcalendar: FirstApp = {
  name: 'pcalendar',
  kind: 'Java: Swing, a dialog is open',
  debian: ['pcalendar'],
  isHttp: false,
  start({ folder }) {
    const jar = debianFile('pcalendar', 'usr/share/java/pcalendar.jar');
    return startOnScreen('java', [`-Duser.home=${folder}`, '-Duser.language=en', '-jar', jar], folder);
  },
  fill: async (url) => (await windowTitles(url)).includes('Disclaimer'),
  ready: async () => true,
  facts: [
    { ask: 'title of the window', value: 'Periodic Calendar - New File' },
    { ask: 'dialog that is open', value: 'Disclaimer' },
    { ask: 'days of a cycle', match: '^2[0-9]$|^3[0-9]$', key: 'period|cycle|length' },
    { ask: 'whether the file was changed', value: false, key: 'chang|modif|dirty' },
    {
      ask: 'month that is shown',
      line: '(?:January|February|March|April|May|June|July|August|September|October|November|December|month\\S* = \\d+)',
    },
  ],
  tasks: [
    { kind: 'read', words: 'Which "dialog" is open?', check: says('Disclaimer') },
    {
      kind: 'act',
      words: 'Press "OK".',
      check: async ({ url }) => !(await windowTitles(url)).includes('Disclaimer'),
    },
  ],
};
