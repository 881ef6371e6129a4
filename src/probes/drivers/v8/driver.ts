/** The V8 driver: knows browsers, Electron, NW.js, Deno and Node apart, and how each is attached to. */
import os from 'node:os';
import path from 'node:path';
import type { ProcessInfo, ProcessInspector } from '../../../model/process.ts';
import {
  AttachError,
  type AttachTools,
  type DiagnoseTools,
  type Diagnosis,
  diagnosed,
  type Probe,
  type ProbeDriver,
  type Recognition,
} from '../../probe.ts';
import { attachBrowser } from './browser/attach-browser.ts';
import { BrowserProbe } from './browser/browser-probe.ts';
import { asksForPort, findEndpoint, userDataDir } from './browser/endpoint.ts';
import { attachDeno, checkDeno } from './deno/deno-attach.ts';
import { identifyDeno } from './deno/deno-identity.ts';
import { chromiumName, detectV8, isChromiumPart, type V8Family } from './detect.ts';
import { attachElectron, ELECTRON_WORDS } from './electron/electron-attach.ts';
import { identifyElectron } from './electron/electron-identity.ts';
import { identifyNw } from './electron/nw-identity.ts';
import { processGone } from './node/find-inspector.ts';
import { sweepLeftFolders } from './node/left-folders.ts';
import { closeLeftInspectors } from './node/left-inspectors.ts';
import { identifyNode } from './node/node-identity.ts';
import { injectAgent } from './node/node-inject.ts';
import { checkInspector, INSPECTOR_WAY, NODE_WORDS } from './node/node-inspector.ts';
import { NodeProbe } from './node/node-probe.ts';
import type { V8Settings } from './settings.ts';
import { helpV8 } from './v8-launch.ts';

const NW = 'NW.js';

export function createV8Driver(options: V8Settings): ProbeDriver {
  const heapOptions = { heapScan: options.heap_scan, heapScanMaxMb: options.heap_scan_max_mb };
  const heapLimitMb = options.heap_scan ? options.heap_scan_max_mb : null;
  return {
    sweep(inspect) {
      void closeLeftInspectors(inspect);
      sweepLeftFolders(os.tmpdir(), inspect);
    },

    recognise(process, inspect) {
      const family = detectV8(process, inspect);
      if (family === null) return null;
      const hasWindow = family === 'chromium' || family === 'electron';
      const opensInspector = family === 'electron' ? !asksForPort(process) : family !== 'chromium';
      return { runtime: 'v8', ...identify(family, process, inspect), ...{ hasWindow, opensInspector } };
    },

    async attach(process: ProcessInfo, tools: AttachTools): Promise<Probe> {
      const { inspect, maxKeys, budget, trace } = tools;
      const family = detectV8(process, inspect);
      if (!inspect.isAlive(process)) throw processGone();
      switch (family) {
        case 'chromium':
          return attachBrowser(process, chromiumName(process, inspect), tools, { maxKeys, budget, heapLimitMb, trace });
        case 'electron': {
          // A port that was asked for is the way that its owner meant.
          if (asksForPort(process))
            return attachBrowser(process, 'Electron app', tools, { maxKeys, budget, heapLimitMb, trace });
          const { main, targets } = await attachElectron(process, tools, { maxKeys, budget, ...heapOptions });
          return new BrowserProbe(targets, { maxKeys, budget, heapLimitMb, main, trace });
        }
        case 'node':
          return new NodeProbe(await injectAgent(process, tools, { maxKeys, budget, ...heapOptions }), maxKeys);
        case 'deno':
          return attachDeno(process, tools, { maxKeys, budget, ...heapOptions });
        default:
          throw unknownProgram();
      }
    },

    diagnose: diagnoseV8,
    isPart: isChromiumPart,
    help: helpV8,
  };
}

/** By what `attach` looks at before it touches the process. */
async function diagnoseV8(process: ProcessInfo, { inspect }: DiagnoseTools): Promise<Diagnosis> {
  const family = detectV8(process, inspect);
  if (!inspect.isAlive(process)) return diagnosed('', () => Promise.reject(processGone()));
  switch (family) {
    case 'chromium':
      return diagnosePort(process, chromiumName(process, inspect), inspect);
    case 'electron':
      return asksForPort(process)
        ? diagnosePort(process, 'Electron app', inspect)
        : diagnosed(INSPECTOR_WAY, () => checkInspector(process, inspect, ELECTRON_WORDS));
    case 'node':
      return diagnosed(INSPECTOR_WAY, () => checkInspector(process, inspect, NODE_WORDS));
    case 'deno':
      return diagnosed(INSPECTOR_WAY, () => checkDeno(process, inspect));
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

function identify(family: V8Family, process: ProcessInfo, inspect: ProcessInspector): Omit<Recognition, 'runtime'> {
  const resolve = (file: string) => inspect.resolvePath(process, file);
  switch (family) {
    case 'node':
      return {
        runtimeName: 'Node.js',
        ...identifyNode(process, resolve, () => inspect.kernelFile(process, 'environ')),
      };
    case 'electron':
      return { runtimeName: 'Electron', ...identifyElectron(process, resolve) };
    case 'deno':
      return { runtimeName: 'Deno', ...identifyDeno(process, resolve) };
    case 'chromium': {
      const name = chromiumName(process, inspect);
      if (name === NW) return { runtimeName: NW, ...identifyNw(process, resolve) };
      const profile = userDataDir(process) ?? 'default profile';
      return { runtimeName: name, appName: name, identity: `chromium:${path.dirname(process.exe ?? '')}:${profile}` };
    }
  }
}
