/** Parses the output of `ps` and `lsof` of macOS. */

import { basename } from 'node:path/posix';
import type { Listener, ProcessInfo } from '../model/process.ts';

/** `Sat Nov 15 02:19:07 2025`, the day padded by a space. */
const START = '\\w{3} \\w{3} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}';
const PROCESS_LINE = new RegExp(`^ *(\\d+) +(\\d+) +(-?\\d+) +(${START}) +(.*)$`);
const ARGUMENTS_LINE = new RegExp(`^ *(\\d+) +(${START}) (.*)$`);
const START_LINE = new RegExp(`^ *(${START}) *$`);
const ENDPOINT = /^(.*):(\d+)$/;

/**
 * Two listings, because the executable's path and the arguments both may hold spaces and only the last column of a
 * listing is delimited: `pid ppid uid lstart comm` and `pid lstart args`. A process in only one of them has just
 * started or ended; it is left to the next scan.
 */
export function parseProcesses(processes: string, argumentLines: string): ProcessInfo[] {
  const argumentsOf = new Map<string, string>();
  for (const line of argumentLines.split('\n')) {
    const [, pid, startTime, args] = ARGUMENTS_LINE.exec(line) ?? [];
    if (args !== undefined) argumentsOf.set(`${pid} ${startTime}`, args);
  }
  const found: ProcessInfo[] = [];
  for (const line of processes.split('\n')) {
    const [, pid, ppid, uid, startTime, command] = PROCESS_LINE.exec(line) ?? [];
    if (startTime === undefined || command === undefined) continue;
    const args = argumentsOf.get(`${pid} ${startTime}`);
    // A zombie shows its name in parentheses instead of a path.
    if (args === undefined || /^\(.*\)$/.test(command)) continue;
    const exe = command.startsWith('/') ? command : null;
    found.push({
      pid: Number(pid),
      startTime,
      ppid: Number(ppid),
      uid: Number(uid),
      name: basename(command),
      exe,
      argv: splitArguments(args, exe),
      cwd: null,
    });
  }
  return found;
}

/** ps joins the arguments by spaces. The executable can be recognised; each other word counts as one argument. */
function splitArguments(args: string, exe: string | null): string[] {
  if (exe !== null && (args === exe || args.startsWith(`${exe} `))) {
    return [exe, ...words(args.slice(exe.length))];
  }
  return words(args);
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** `ps -o lstart= -p PID`; null when there is no such process. */
export function parseStartTime(output: string): string | null {
  return START_LINE.exec(output.trimEnd())?.[1] ?? null;
}

/** `lsof -F tn`: a line per field, its letter first; `t` (IPv4 or IPv6) precedes the `n` (address:port) of its socket. */
export function parseListeners(output: string): Listener[] {
  const found = new Map<string, Listener>();
  let isIpv6 = false;
  for (const line of output.split('\n')) {
    if (line.startsWith('t')) isIpv6 = line === 'tIPv6';
    if (!line.startsWith('n')) continue;
    const [, host, port] = ENDPOINT.exec(line.slice(1)) ?? [];
    if (host === undefined || Number(port) > 65_535) continue;
    const anyAddress = isIpv6 ? '::' : '0.0.0.0';
    const address = host === '*' ? anyAddress : host.replace(/^\[(.*)\]$/, '$1');
    found.set(`${address} ${port}`, { address, port: Number(port) });
  }
  return [...found.values()];
}

/** `lsof -d txt -F n`: the executable and the libraries mapped into it. */
export function parseModules(output: string): string[] {
  const paths = output.split('\n').filter((line) => line.startsWith('n/'));
  return [...new Set(paths.map((line) => line.slice(1)))];
}
