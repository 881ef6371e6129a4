import { declareDriver } from '../../declaration.ts';
import { settings } from './settings.ts';

export const clr = declareDriver({
  runtime: 'clr',
  tiers: ['clr_mmf'],
  settings,
  commands: [
    [/^dotnet$/, '.NET'],
    [/^mono(?:-sgen)?$/, 'Mono'],
  ],
  folders: [
    { path: '/tmp', needs: 'write', otherwise: 'no Mono program can be attached to' },
    { path: '/tmp', needs: 'execute', otherwise: '.NET before version 8 cannot be attached to' },
    { path: '/dev/shm', needs: 'write', otherwise: '.NET programs use /tmp' },
  ],
  load: async () => (await import('./driver.ts')).createClrDriver,
});
