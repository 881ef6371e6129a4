import { declareDriver } from '../../declaration.ts';
import { settings } from './settings.ts';

export const v8 = declareDriver({
  runtime: 'v8',
  tiers: ['aso_fast', 'heap_snapshot'],
  settings,
  commands: [
    [/^node(?:js)?$/, 'Node.js'],
    [/^deno$/, 'Deno'],
    [/^electron$/, 'Electron'],
    [/^(?:google-)?chrome(?:-stable|-beta)?$|^chromium(?:-browser)?$|^msedge$|^brave$|^vivaldi(?:-bin)?$/, 'Chromium'],
  ],
  load: async () => (await import('./driver.ts')).createV8Driver,
});
