/** Attaches to each program of the family. The parts are loaded with the first such program. */
import type { ProcessInfo, ProcessInspector } from '../../../model/process.ts';
import {
  AttachError,
  type AttachTools,
  type DiagnoseTools,
  type Diagnosis,
  diagnosed,
  type Probe,
} from '../../probe.ts';
import { loadPart } from '../../support/load-part.ts';
import { asksForPort, findEndpoint } from './browser/endpoint.ts';
import { chromiumName, detectV8 } from './detect.ts';
import { processGone } from './node/find-inspector.ts';
import { identifyNodeCommand } from './node/node-identity.ts';
import { type InjectOptions, injectAgent } from './node/node-inject.ts';
import { checkInspector, INSPECTOR_WAY, NODE_WORDS } from './node/node-inspector.ts';
import { NodeProbe } from './node/node-probe.ts';
import { viewOf } from './process-view.ts';
import type { V8Settings } from './settings.ts';

export { closeLeftInspectors } from './node/left-inspectors.ts';

const loadBrowser = () => loadPart(() => import('./browser/attach-browser.ts'));
const loadDeno = () => loadPart(() => import('./deno/deno-attach.ts'));
const loadElectron = () => loadPart(() => import('./electron/electron-attach.ts'));

export async function attachV8(process: ProcessInfo, tools: AttachTools, settings: V8Settings): Promise<Probe> {
  const { inspect, maxKeys, budget, trace } = tools;
  const heapOptions = { heapScan: settings.heap_scan, heapScanMaxMb: settings.heap_scan_max_mb };
  const heapLimitMb = settings.heap_scan ? settings.heap_scan_max_mb : null;
  const ofPages = { maxKeys, budget, heapLimitMb, uploadFolders: settings.upload_folders, trace };
  const family = detectV8(process, inspect);
  if (!inspect.isAlive(process)) throw processGone();
  switch (family) {
    case 'chromium': {
      const { attachBrowser } = await loadBrowser();
      return attachBrowser(process, chromiumName(process, inspect), tools, ofPages);
    }
    case 'electron': {
      // A port on the command line is the way that its owner intended.
      if (asksForPort(process)) {
        const { attachBrowser } = await loadBrowser();
        return attachBrowser(process, 'Electron app', tools, ofPages);
      }
      const [{ attachElectron }, { probeWindows }] = await Promise.all([loadElectron(), loadBrowser()]);
      const { main, targets } = await attachElectron(process, tools, { maxKeys, budget, ...heapOptions });
      return probeWindows(targets, { ...ofPages, main });
    }
    case 'node':
      return attachNode(process, tools, { maxKeys, budget, ...heapOptions });
    case 'deno': {
      const { attachDeno } = await loadDeno();
      return attachDeno(process, tools, { maxKeys, budget, ...heapOptions });
    }
    default:
      throw unknownProgram();
  }
}

async function attachNode(process: ProcessInfo, tools: AttachTools, options: InjectOptions): Promise<NodeProbe> {
  const { channel, command } = await injectAgent(process, tools, options);
  const { resolve, environ } = viewOf(process, tools.inspect);
  const program = command === null ? undefined : identifyNodeCommand(command, process, resolve, environ);
  return new NodeProbe(channel, tools.maxKeys, program);
}

/** Runs the checks of `attach` without touching the process. */
export async function diagnoseV8(process: ProcessInfo, { inspect }: DiagnoseTools): Promise<Diagnosis> {
  const family = detectV8(process, inspect);
  if (!inspect.isAlive(process)) return diagnosed('', () => Promise.reject(processGone()));
  switch (family) {
    case 'chromium':
      return diagnosePort(process, chromiumName(process, inspect), inspect);
    case 'electron':
      return asksForPort(process)
        ? diagnosePort(process, 'Electron app', inspect)
        : diagnosed(INSPECTOR_WAY, async () => checkInspector(process, inspect, (await loadElectron()).ELECTRON_WORDS));
    case 'node':
      return diagnosed(INSPECTOR_WAY, () => checkInspector(process, inspect, NODE_WORDS));
    case 'deno':
      return diagnosed(INSPECTOR_WAY, async () => (await loadDeno()).checkDeno(process, inspect));
    default:
      return diagnosed('', () => Promise.reject(unknownProgram()));
  }
}

async function diagnosePort(process: ProcessInfo, name: string, inspect: ProcessInspector): Promise<Diagnosis> {
  const diagnosis = await diagnosed('debugging port', async () => {
    const { port } = new URL(await findEndpoint(process, name, inspect));
    return `debugging port ${port}`;
  });
  const { remedy } = diagnosis;
  if (remedy === null || !remedy.includes('--')) return diagnosis;
  const easier = `${remedy} substrate run does that: substrate run -- ${process.exe}`;
  return { ...diagnosis, remedy: easier };
}

function unknownProgram(): AttachError {
  return new AttachError('This program is not one that substrate knows any more.', { retry: false });
}
