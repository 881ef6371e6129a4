import type { Host } from '../../model/process.ts';
import { LinuxInspector } from './linux-inspector.ts';
import { LinuxScanner } from './linux-scanner.ts';
import { createLinuxSignaller } from './linux-signaller.ts';
import { ProcFs } from './proc-fs.ts';

export function createLinuxHost(): Host {
  const proc = new ProcFs();
  return { scanner: new LinuxScanner(proc), inspector: new LinuxInspector(proc), signal: createLinuxSignaller(proc) };
}
