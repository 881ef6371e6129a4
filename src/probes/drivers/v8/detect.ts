/** Recognises V8 programs by their executable, mapped files, and the absence of a child's marks. */
import path from 'node:path';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../../model/process.ts';
import { isFork } from '../../support/fork.ts';
import { isSameProgram } from '../../support/is-same-program.ts';
import { runsProgram } from './deno/deno-identity.ts';

export type V8Family = 'node' | 'electron' | 'chromium' | 'deno';

/** node::Start(int, char**): exported by every Node binary, imported by those that link libnode; Bun has none. */
const NODE_START = '_ZN4node5StartEiPPc';
const CHROMIUM_THREADS = ['Chrome_IOThread', 'Chrome_ChildIOT'];
const SIGUSR1_BIT = 1n << 9n;

/**
 * The names of browsers for people, by executable (macOS: with spaces; Windows: with `.exe`). The first match counts.
 */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/^google[- ]chrome|^chrome(?:-stable|-beta|-unstable)?$/i, 'Google Chrome'],
  [/^(?:chrome-headless-shell|headless_shell)$/, 'Chrome Headless Shell'],
  [/^(?:ungoogled-)?chromium(?:-browser|-freeworld)?$/i, 'Chromium'],
  [/^(?:ms|microsoft[- ])edge(?:-stable|-beta|-dev| beta| dev| canary)?$/i, 'Microsoft Edge'],
  [/^brave(?:[- ]browser)?(?:-stable|-beta|-nightly| beta| nightly)?$/i, 'Brave'],
  [/^vivaldi(?:-bin|-snapshot)?$/i, 'Vivaldi'],
  [/^opera(?:-stable|-beta|-developer| gx)?$/i, 'Opera'],
  [/^(?:yandex[_-]browser(?:-beta|-corporate)?|yandex)$/i, 'Yandex Browser'],
  [/^(?:thorium|thorium-browser)$/i, 'Thorium'],
];
const NW_NAME = 'NW.js';
const NW_LIBRARY = /\/libnw\.(?:so|dylib)$/;
/** The Chromium Embedded Framework: a browser inside another program. */
const CEF_LIBRARY = /\/libcef\.so$|\/Chromium Embedded Framework$/;
/** Plain Node maps no such library: this is a program of Node and Chromium that has not started its threads yet. */
const DESKTOP_LIBRARY = /\/libgtk-3\.so|\/libX11\.so/;

export function detectV8(process: ProcessInfo, inspect: ProcessInspector): V8Family | null {
  if (process.exe === null || isChromiumChild(process.argv)) return null;
  const details = inspect.details(process);
  if (details && isFork(details)) return null;
  const family = familyOf(process, details, inspect);
  if (family !== 'chromium' && family !== 'electron') return family;
  // It may have been a fork of its browser when it was found, and run a program of its own by now.
  if (!isSameProgram(process, inspect)) return null;
  const current = inspect.kernelFile(process, 'cmdline');
  return current !== null && isChromiumChild(current.split('\0')) ? null : family;
}

function familyOf(process: ProcessInfo, details: ProcessDetails | null, inspect: ProcessInspector): V8Family | null {
  const isChromium = details?.threads.some((thread) => CHROMIUM_THREADS.includes(thread)) ?? false;
  // Before Node: NW.js has both, and only its debugging port leads into it.
  if (embedsChromium(details)) return 'chromium';
  if (inspect.exeHasSymbol(process, NODE_START)) {
    if (isChromium) return 'electron';
    return details && isStartingElectron(details) ? null : 'node';
  }
  const name = exeName(process);
  if (browserName(name) !== null) return 'chromium';
  const hasV8 = details?.threads.some((thread) => thread.startsWith('V8 ')) ?? false;
  return name === 'deno' && hasV8 && runsProgram(process.argv) ? 'deno' : null;
}

/**
 * The name of a program of the Chromium family for people: `Google Chrome`, `NW.js`, or its own name if it embeds one.
 */
export function chromiumName(process: ProcessInfo, inspect: ProcessInspector): string {
  const name = exeName(process);
  if (inspect.details(process)?.modules.some((file) => NW_LIBRARY.test(file))) return NW_NAME;
  return browserName(name) ?? name;
}

function embedsChromium(details: ProcessDetails | null): boolean {
  return details?.modules.some((file) => NW_LIBRARY.test(file) || CEF_LIBRARY.test(file)) ?? false;
}

/** Recognised as plain Node it would keep the wrong name; so it is checked again a moment later. */
function isStartingElectron({ modules, caughtSignals }: ProcessDetails): boolean {
  return (caughtSignals & SIGUSR1_BIT) === 0n && modules.some((file) => DESKTOP_LIBRARY.test(file));
}

/** The name of the browser of this executable for people; null if unknown. */
export function browserName(exeName: string): string | null {
  return BROWSERS.find(([pattern]) => pattern.test(exeName))?.[1] ?? null;
}

/** True for a process of a browser, or of a program with one inside, that is no program itself. */
export function isChromiumPart(process: ProcessInfo): boolean {
  return isChromiumChild(process.argv) || /crashpad/.test(exeName(process));
}

function exeName(process: ProcessInfo): string {
  const name = path.basename((process.exe ?? process.name).replace(/ \(deleted\)$/, '').replaceAll('\\', '/'));
  return name.replace(/\.exe$/i, '');
}

/**
 * A browser is one app; its renderers, gpu and utility processes are part of it. Their argv may be one joined string.
 * The mark comes before anything that is no option: after a script it is an argument of that script.
 */
function isChromiumChild([program = '', ...rest]: readonly string[]): boolean {
  if (/ --type=[a-z-]+/.test(program)) return true;
  const firstPlain = rest.findIndex((argument) => !argument.startsWith('-'));
  const options = firstPlain < 0 ? rest : rest.slice(0, firstPlain);
  return options.some((argument) => /^--type=[a-z-]+/.test(argument));
}
