/** Which V8 program a process is, by its executable, what it has mapped, and the absence of a child's marks. */
import path from 'node:path';
import type { ProcessInfo, ProcessInspector } from '../../model/process.ts';

export type V8Family = 'node' | 'electron' | 'chromium' | 'deno';

/** node::Start(int, char**): exported by every Node binary, imported by those that link libnode; Bun has none. */
const NODE_START = '_ZN4node5StartEiPPc';
const CHROMIUM_NAMES =
  /^(?:chrom(?:e|ium)(?:-browser|-stable|-beta|-unstable)?|google-chrome|msedge|microsoft-edge|brave|brave-browser|vivaldi(?:-bin)?|opera)$/;
const CHROMIUM_THREADS = ['Chrome_IOThread', 'Chrome_ChildIOT'];

export function detectV8(process: ProcessInfo, inspect: ProcessInspector): V8Family | null {
  if (process.exe === null || isChromiumChild(process.argv)) return null;
  const name = path.basename(process.exe.replace(/ \(deleted\)$/, ''));
  const isNode = inspect.exeHasSymbol(process, NODE_START);
  if (isNode || CHROMIUM_NAMES.test(name) || name === 'deno' || name === 'nw') {
    const details = inspect.details(process);
    const isChromium = details?.threads.some((thread) => CHROMIUM_THREADS.includes(thread)) ?? false;
    if (isNode) return isChromium ? 'electron' : 'node';
    if (isChromium || CHROMIUM_NAMES.test(name)) return 'chromium';
    return name === 'deno' && details?.threads.some((thread) => thread.startsWith('V8 ')) ? 'deno' : null;
  }
  return null;
}

/**
 * A browser is one app; its renderers, gpu and utility processes are part of it. Their argv may be one joined string.
 * The mark comes before anything that is no option: behind a script it is an argument of that script.
 */
function isChromiumChild([program = '', ...rest]: readonly string[]): boolean {
  if (/ --type=[a-z-]+/.test(program)) return true;
  const firstPlain = rest.findIndex((argument) => !argument.startsWith('-'));
  const options = firstPlain < 0 ? rest : rest.slice(0, firstPlain);
  return options.some((argument) => /^--type=[a-z-]+/.test(argument));
}
