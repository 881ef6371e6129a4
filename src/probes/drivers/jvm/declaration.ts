import { declareDriver } from '../../declaration.ts';
import { settings } from './settings.ts';

export const jvm = declareDriver({
  runtime: 'jvm',
  tiers: ['jvmti'],
  settings,
  commands: [[/^java$/, 'Java']],
  folders: [
    { path: '/tmp', needs: 'write', otherwise: 'no Java program can be attached to' },
    { path: '/tmp', needs: 'execute', otherwise: 'local variables of Java programs are not seen' },
  ],
  load: async () => (await import('./driver.ts')).createJvmDriver,
});
