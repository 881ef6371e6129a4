/**
 * Attaches to an Electron app that was started without any flag. Its main process is a Node process and accepts the
 * Node agent; the relay beside that agent leads to the windows. One connection carries both.
 */
import type { ProcessInfo } from '../../../../model/process.ts';
import type { AttachTools } from '../../../probe.ts';
import { builtin } from '../node/inspector-calls.ts';
import { type InjectOptions, injectAgent, type NodeVariant } from '../node/node-inject.ts';
import type { InspectorWords } from '../node/node-inspector.ts';
import { NodeProbe } from '../node/node-probe.ts';
import relaySource from './agent/relay.ts?agent';
import { identifyElectron } from './electron-identity.ts';
import { ElectronTargets } from './electron-targets.ts';

export const ELECTRON_WORDS: InspectorWords = {
  // Its main thread waits in the loop of the windows (glib), which also runs that of Node.
  waitsIn: ['poll', 'epoll'],
  name: 'Electron app',
  notListening:
    'This Electron app does not listen to SIGUSR1 (it is still starting, or its fuse EnableNodeCliInspectArguments is off), so its inspector cannot be opened.',
  notOpened:
    'This Electron app did not open its inspector after SIGUSR1: it handles this signal itself, or is too busy.',
  remedy: {
    notListening: 'Start it with --remote-debugging-port=0.',
    notOpened: 'It is not signalled again; start it with --remote-debugging-port=0.',
  },
};

const ELECTRON: NodeVariant = {
  words: ELECTRON_WORDS,
  extension: relaySource,
  main: `${builtin('module')}._load('electron').app.getAppPath()`,
};

export interface ElectronAttachment {
  /** State and actions of the main process. Its `detach` ends the whole attachment. */
  readonly main: NodeProbe;
  /** The windows. Its `dispose` ends the whole attachment. */
  readonly targets: ElectronTargets;
}

export async function attachElectron(
  process: ProcessInfo,
  tools: AttachTools,
  options: InjectOptions,
): Promise<ElectronAttachment> {
  const { channel, command } = await injectAgent(process, tools, options, ELECTRON);
  const resolve = (file: string) => tools.inspect.resolvePath(process, file);
  const program = command === null ? undefined : identifyElectron(process, resolve, command);
  return { main: new NodeProbe(channel, tools.maxKeys, program), targets: new ElectronTargets(channel) };
}
