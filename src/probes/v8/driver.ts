/** The V8 driver: recognises browsers, Electron, Deno and Node; attaches to Node. */
import type { ProcessInfo } from '../../model/process.ts';
import { AttachError, type AttachTools, type Probe, type ProbeDriver, type Recognition } from '../probe.ts';
import { detectV8, type V8Family } from './detect.ts';
import { identifyNode } from './node/node-identity.ts';
import { injectAgent } from './node/node-inject.ts';
import { processGone } from './node/node-inspector.ts';
import { NodeProbe } from './node/node-probe.ts';

export interface V8Options {
  readonly heap_scan: boolean;
  readonly heap_scan_max_mb: number;
}

const FAMILY_NAMES: Record<V8Family, string> = {
  node: 'Node.js',
  electron: 'Electron',
  chromium: 'Chromium',
  deno: 'Deno',
};

export function createV8Driver(options: V8Options): ProbeDriver {
  return {
    recognise(process, inspect): Recognition | null {
      const family = detectV8(process, inspect);
      if (family === null) return null;
      const base = { runtime: 'v8', runtimeName: FAMILY_NAMES[family] } as const;
      if (family === 'node') return { ...base, ...identifyNode(process, (path) => inspect.resolvePath(process, path)) };
      return { ...base, appName: FAMILY_NAMES[family], identity: `${family}:${process.exe ?? process.name}` };
    },

    async attach(process: ProcessInfo, tools: AttachTools): Promise<Probe> {
      const family = detectV8(process, tools.inspect);
      if (!tools.inspect.isAlive(process)) throw processGone();
      if (family !== 'node') {
        throw new AttachError(
          `${family ? FAMILY_NAMES[family] : 'This program'} is recognised, but this version has a probe for Node.js processes only.`,
          { retry: false },
        );
      }
      const channel = await injectAgent(process, tools, {
        maxKeys: tools.maxKeys,
        heapScan: options.heap_scan,
        heapScanMaxMb: options.heap_scan_max_mb,
      });
      return new NodeProbe(channel, tools.maxKeys);
    },
  };
}
