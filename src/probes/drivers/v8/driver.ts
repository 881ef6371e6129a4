/** The V8 driver: distinguishes browsers, Electron, NW.js, Deno and Node (attach.ts attaches to each). */
import os from 'node:os';
import path from 'node:path';
import type { ProcessInfo, ProcessInspector } from '../../../model/process.ts';
import type { ProbeDriver, Recognition } from '../../probe.ts';
import { loadPart } from '../../support/load-part.ts';
import { asksForPort, userDataDir } from './browser/endpoint.ts';
import { identifyDeno } from './deno/deno-identity.ts';
import { chromiumName, detectV8, isChromiumPart, type V8Family } from './detect.ts';
import { identifyElectron } from './electron/electron-identity.ts';
import { identifyNw } from './electron/nw-identity.ts';
import { sweepLeftFolders } from './node/left-folders.ts';
import { identifyNode } from './node/node-identity.ts';
import { findMarks } from './node/signal-mark.ts';
import { viewOf } from './process-view.ts';
import type { V8Settings } from './settings.ts';
import { helpV8 } from './v8-launch.ts';

const NW = 'NW.js';

async function closeLeft(inspect: ProcessInspector): Promise<void> {
  try {
    await (await loadAttach()).closeLeftInspectors(inspect);
  } catch {
    // Its mark stays: the next daemon, or the next attach, tries again.
  }
}
const loadAttach = () => loadPart(() => import('./attach.ts'));

export function createV8Driver(settings: V8Settings): ProbeDriver {
  return {
    sweep(inspect) {
      // Rare: only a daemon that is killed in the middle of an attach leaves one behind.
      if (findMarks().length > 0) void closeLeft(inspect);
      sweepLeftFolders(os.tmpdir(), inspect);
    },

    recognise(process, inspect) {
      const family = detectV8(process, inspect);
      if (family === null) return null;
      const hasWindow = family === 'chromium' || family === 'electron';
      const opensInspector = family === 'electron' ? !asksForPort(process) : family !== 'chromium';
      return { runtime: 'v8', ...identify(family, process, inspect), ...{ hasWindow, opensInspector } };
    },

    attach: async (process, tools) => (await loadAttach()).attachV8(process, tools, settings),
    diagnose: async (process, tools) => (await loadAttach()).diagnoseV8(process, tools),
    isPart: isChromiumPart,
    help: helpV8,
  };
}

function identify(family: V8Family, process: ProcessInfo, inspect: ProcessInspector): Omit<Recognition, 'runtime'> {
  const { resolve, environ } = viewOf(process, inspect);
  switch (family) {
    case 'node':
      return { runtimeName: 'Node.js', ...identifyNode(process, resolve, environ) };
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
