import fs from 'node:fs';
import path from 'node:path';
import { type App, says } from '../app.ts';
import { debianFile } from '../install.ts';
import { readVault, type Vault, type VaultEntry, writeVault } from './kdbx.ts';
import { fileIn, runBeside, startOnScreen, windowTitles } from './on-screen.ts';

const MASTER = 'low-tide-at-noon';

const entry = (title: string, userName: string, url: string, notes: string): VaultEntry => ({
  title,
  userName,
  password: `Vw8#kq-Zu2!mTr9_${title.length}`,
  url,
  notes,
});

const HARBOUR: Vault = {
  name: 'Harbour',
  description: 'Keys of the harbour office',
  entries: [
    entry('Tide office', 'grace.tide', 'https://tides.example/login', 'ring twice'),
    entry('Sandpiper ferry', 'ada.deck', 'https://ferries.example/sandpiper', 'engine room'),
    entry('Petrel ferry', 'otto.pilot', 'https://ferries.example/petrel', 'bridge'),
  ],
  groups: {
    Lights: [entry('North light', 'keeper-north', 'https://lights.example/north', 'every nine seconds')],
    Cranes: [entry('Crane seven', 'crane7', 'https://cranes.example/7', '')],
  },
};
const TIDES: Vault = {
  name: 'Tides',
  description: '',
  entries: [entry('Kittiwake ferry', 'tom.tide', 'https://ferries.example/kittiwake', '')],
  groups: {},
};

const program = () => debianFile('keepass', 'usr/lib/keepass2/KeePass.exe');
const open = (file: string) => [program(), file, `-pw:${MASTER}`];

export const keepass: App = {
  name: 'keepass',
  debian: ['keepass2'],
  isHttp: false,
  start({ folder }) {
    fs.writeFileSync(path.join(folder, 'harbour.kdbx'), writeVault(HARBOUR, MASTER));
    fs.writeFileSync(path.join(folder, 'tides.kdbx'), writeVault(TIDES, MASTER));
    return startOnScreen('mono', open('harbour.kdbx'), folder);
  },
  fill: async (url) => (await windowTitles(url)).includes('harbour.kdbx - KeePass'),
  ready: async () => true,
  tasks: [
    { kind: 'read', words: 'What is the user name of the entry "Tide office"?', check: says('grace.tide') },
    {
      kind: 'act',
      words: 'Press "Add Group". Set the "Name" to "Buoys". Press "OK". Press "Save".',
      check: ({ url }) =>
        readVault(fs.readFileSync(fileIn(url, 'harbour.kdbx')), MASTER).includes('<Name>Buoys</Name>'),
    },
    {
      kind: 'wait',
      words: 'Wait until there is an entry "Kittiwake ferry".',
      // A second instance passes the file on to the running one.
      event: ({ url }) => runBeside(url, 'mono', open(fileIn(url, 'tides.kdbx'))),
      check: async ({ url }) => (await windowTitles(url)).includes('tides.kdbx - KeePass'),
    },
  ],
};
