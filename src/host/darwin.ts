/**
 * macOS, by its own command line tools. They do not report which signals a process handles, the names of its threads or
 * the symbols of its executable: all of these read as "none", so that nothing is ever signalled by guess. Start times
 * have a resolution of one second.
 */

import type { Host, ProcessInfo, ProcessInspector, ProcessRef } from '../model/process.ts';
import { parseListeners, parseModules, parseProcesses, parseStartTime } from './darwin-output.ts';
import { detailsOf, ListScanner, UNREPORTED } from './list-scanner.ts';
import { runCommand, runCommandSync } from './run-command.ts';

/**
 * English dates in UTC (the start time must read the same after a change of the clock's zone), while a UTF-8 character
 * type keeps ps from escaping paths that are not ASCII.
 */
const ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LANG: 'C', LC_CTYPE: 'UTF-8', TZ: 'UTC' };
const options = { env: ENVIRONMENT };

export function createDarwinHost(): Host {
  return {
    scanner: new ListScanner(listProcesses),
    inspector,
    signal: (ref, signal) => {
      throw new Error(`macOS does not report whether process ${ref.pid} handles ${signal}: not sent`);
    },
  };
}

async function listProcesses(): Promise<ProcessInfo[]> {
  const [processes, argumentLines] = await Promise.all([
    runCommand('ps', ['-axwwo', 'pid=,ppid=,uid=,lstart=,comm='], options),
    runCommand('ps', ['-axwwo', 'pid=,lstart=,args='], options),
  ]);
  return parseProcesses(processes, argumentLines);
}

function isAlive(ref: ProcessRef): boolean {
  return parseStartTime(runCommandSync('ps', ['-o', 'lstart=', '-p', String(ref.pid)], options)) === ref.startTime;
}

function lsof(args: readonly string[]): string {
  // Numeric addresses and ports, all conditions at once, no warnings.
  return runCommandSync('lsof', ['-nP', '-w', '-a', ...args], options);
}

const inspector: ProcessInspector = {
  isAlive,
  details(ref) {
    const modules = parseModules(lsof(['-p', String(ref.pid), '-d', 'txt', '-F', 'n']));
    return isAlive(ref) ? detailsOf(ref, modules) : null;
  },
  listeners(ref) {
    const found = parseListeners(lsof(['-p', String(ref.pid), '-iTCP', '-sTCP:LISTEN', '-F', 'tn']));
    return isAlive(ref) ? found : [];
  },
  isPortTaken(ref, port) {
    const found = parseListeners(lsof([`-iTCP:${port}`, '-sTCP:LISTEN', '-F', 'tn']));
    return found.some((listener) => listener.port === port) && isAlive(ref);
  },
  ...UNREPORTED,
};
