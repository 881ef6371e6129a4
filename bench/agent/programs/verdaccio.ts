import { type App, says } from '../app.ts';
import { HARBOUR_LIGHTS, hasPackages, publish, startVerdaccio, VERDACCIO } from '../apps/verdaccio.ts';

/** The same app as in the browser, read from its own process. */
export const verdaccioProgram: App = {
  name: 'verdaccio-server',
  installedAs: 'verdaccio',
  packages: VERDACCIO,
  start: startVerdaccio,
  fill: hasPackages,
  ready: async ({ url }) => hasPackages(url),
  tasks: [
    { kind: 'read', words: 'What is the title of the web interface?', check: says('Reef Registry') },
    {
      kind: 'act',
      words: 'Set the "title" of the web interface to "Kelp Registry".',
      check: async ({ url }) => (await (await fetch(url)).text()).includes('Kelp Registry'),
    },
    {
      kind: 'wait',
      words: 'Wait until there is a package "harbour-lights".',
      event: ({ url }) => publish(url, HARBOUR_LIGHTS),
      check: () => true,
    },
  ],
};
