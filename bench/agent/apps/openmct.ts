import { type App, says } from '../app.ts';
import { startServer } from '../start.ts';

const STORED = `Object.values(JSON.parse(localStorage.getItem('mct')))`;

export const openmct: App = {
  name: 'openmct',
  packages: { dependencies: { openmct: '3.2.1' } },
  start: (place) => startServer('openmct', place),
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('Docking Plan')`),
  page: '/#/browse/mine',
  tasks: [
    { kind: 'read', words: 'Open "Thermal Board". What do its notes say?', check: says('panel seven runs hot') },
    {
      kind: 'act',
      words: 'Press "Create". Choose "Folder". Set the "Title" to "Solar Array". Press "Save".',
      check: ({ evaluate }) =>
        evaluate(`${STORED}.some(({ name, type }) => name === 'Solar Array' && type === 'folder')`),
    },
    {
      kind: 'wait',
      words: 'Wait until the folder "Docking Plan" has the name "Departure Plan".',
      event: ({ evaluate }) =>
        evaluate(
          `openmct.objects.get('docking').then((plan) => openmct.objects.mutate(plan, 'name', 'Departure Plan')).then(() => setTimeout(() => location.reload(), 500)) && 0`,
        ),
      check: ({ evaluate }) => evaluate(`document.body.innerText.includes('Departure Plan')`),
    },
  ],
};
