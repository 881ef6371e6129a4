import fs from 'node:fs';
import path from 'node:path';
import { type App, ask, says } from '../app.ts';
import { startPackage } from '../start.ts';

const INFO = {
  description: 'Harbour',
  plugins: ['tiddlywiki/tiddlyweb', 'tiddlywiki/filesystem'],
  themes: ['tiddlywiki/vanilla', 'tiddlywiki/snowwhite'],
};
const TIDDLERS = [
  { title: '$:/SiteTitle', text: 'Harbour Book' },
  { title: '$:/DefaultTiddlers', text: '[[Pilots]] [[Harbour Log]]' },
  { title: 'Harbour Log', tags: 'harbour', text: 'The ferry Sandpiper came in at dawn with nine lorries.' },
  { title: 'Pilots', tags: 'harbour', text: 'Grace has the north channel. Linus has the south channel.' },
  { title: 'Crane Rules', tags: 'rules', text: 'No lifting above wind force seven.' },
];

export const tiddlywiki: App = {
  name: 'tiddlywiki',
  packages: { dependencies: { tiddlywiki: '5.3.6' } },
  start(place) {
    fs.mkdirSync(path.join(place.folder, 'tiddlers'));
    fs.writeFileSync(path.join(place.folder, 'tiddlywiki.info'), JSON.stringify(INFO));
    fs.writeFileSync(path.join(place.folder, 'tiddlers/first.json'), JSON.stringify(TIDDLERS));
    return startPackage(
      'tiddlywiki/tiddlywiki.js',
      [place.folder, '--listen', `port=${place.port}`, 'host=127.0.0.1'],
      place,
    );
  },
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('ferry Sandpiper')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Which channel has the pilot Linus?', check: says('south channel') },
    {
      kind: 'act',
      words: 'Press "new tiddler". Set the "New Tiddler" to "Pilot Roster". Press "Confirm changes to this tiddler".',
      check: async ({ url }) =>
        (await ask<{ title: string }[]>(`${url}/recipes/default/tiddlers.json`)).some(
          ({ title }) => title === 'Pilot Roster',
        ),
    },
    {
      kind: 'wait',
      words: 'Wait until the tiddler "Harbour Log" says "gale force nine".',
      event: ({ evaluate }) =>
        evaluate(`void $tw.wiki.addTiddler({ title: 'Harbour Log', text: 'Closed: gale force nine.' })`),
      check: ({ evaluate }) => evaluate(`document.body.innerText.includes('gale force nine')`),
    },
  ],
};
