import fs from 'node:fs';
import path from 'node:path';
import { type App, ask, says } from '../app.ts';
import { startPackage } from '../start.ts';

export const NODE_RED = { dependencies: { 'node-red': '3.1.15' } };

const FLOWS = [
  { id: 'f1', type: 'tab', label: 'Irrigation', disabled: false, info: 'Waters the north field' },
  {
    id: 'n1',
    type: 'inject',
    z: 'f1',
    name: 'Every morning',
    props: [{ p: 'payload' }],
    payload: '42',
    payloadType: 'num',
    once: true,
    onceDelay: '0.1',
    repeat: '',
    x: 160,
    y: 100,
    wires: [['n2']],
  },
  {
    id: 'n2',
    type: 'function',
    z: 'f1',
    name: 'soil moisture',
    func: "global.set('moisture', msg.payload);\nnode.status({ text: msg.payload < 10 ? 'valve shut, dry' : 'valve open 42 percent' });\nflow.set('litres', 318);\nreturn msg;",
    outputs: 1,
    x: 380,
    y: 100,
    wires: [['n3']],
  },
  {
    id: 'n3',
    type: 'debug',
    z: 'f1',
    name: 'pump log',
    active: true,
    tosidebar: true,
    complete: 'payload',
    x: 600,
    y: 100,
    wires: [],
  },
  {
    id: 'n4',
    type: 'inject',
    z: 'f1',
    name: 'Drought',
    props: [{ p: 'payload' }],
    payload: '3',
    payloadType: 'num',
    once: false,
    repeat: '',
    x: 160,
    y: 180,
    wires: [['n2']],
  },
  { id: 'f2', type: 'tab', label: 'Greenhouse', disabled: false, info: '' },
];

interface FlowNode {
  readonly id: string;
  readonly name?: string;
}

export function startNodeRed(place: { port: number; folder: string; modules: string }) {
  fs.writeFileSync(path.join(place.folder, 'flows.json'), JSON.stringify(FLOWS));
  const settings = {
    flowFile: 'flows.json',
    uiHost: '127.0.0.1',
    telemetry: { enabled: false },
    editorTheme: { tours: false },
  };
  fs.writeFileSync(path.join(place.folder, 'settings.js'), `module.exports = ${JSON.stringify(settings)};`);
  return startPackage(
    'node-red/red.js',
    ['--port', String(place.port), '--userDir', place.folder, '--settings', path.join(place.folder, 'settings.js')],
    place,
  );
}

export const flowsOf = (url: string) => ask<FlowNode[]>(`${url}/flows`);

/** Presses the button of an inject node. */
export async function inject(url: string, id: string): Promise<void> {
  const response = await fetch(`${url}/inject/${id}`, { method: 'POST' });
  if (!response.ok) throw new Error(`inject: ${response.status}`);
}

const STATUS = `[...document.querySelectorAll('svg text')].map(({ textContent }) => textContent).join()`;

export const nodeRed: App = {
  name: 'node-red',
  packages: NODE_RED,
  start: startNodeRed,
  ready: async ({ evaluate }) => (await evaluate<string>(STATUS)).includes('valve open'),
  page: '/',
  tasks: [
    {
      kind: 'read',
      words: 'What is the status of the node "soil moisture", how far is the valve open?',
      check: says('42 percent'),
    },
    {
      kind: 'act',
      words: 'Double-click the node "soil moisture". Set the "Name" to "soil probe". Press "Done". Press "Deploy".',
      check: async ({ url }) => (await flowsOf(url)).some(({ name }) => name === 'soil probe'),
    },
    {
      kind: 'wait',
      words: 'Wait until the status of the node "soil moisture" says "valve shut, dry".',
      event: ({ url }) => inject(url, 'n4'),
      check: async ({ evaluate }) => (await evaluate<string>(STATUS)).includes('valve shut'),
    },
  ],
};
