import type { Host } from '../model/process.ts';
import { createDarwinHost } from './darwin.ts';
import { createLinuxHost } from './linux/linux-host.ts';
import { createWindowsHost } from './windows.ts';

export function createHost(platform: NodeJS.Platform = process.platform): Host {
  switch (platform) {
    case 'linux':
      return createLinuxHost();
    case 'darwin':
      return createDarwinHost();
    case 'win32':
      return createWindowsHost();
    default:
      throw new Error(`processes of the platform "${platform}" cannot be watched`);
  }
}
