/** Parses the output of PowerShell and netstat. */

import * as z from 'zod';
import type { Listener, ProcessInfo } from '../model/process.ts';
import { splitCommandLine } from './windows-command-line.ts';

const processRow = z.object({
  ProcessId: z.int(),
  ParentProcessId: z.int(),
  Name: z.string().nullable(),
  ExecutablePath: z.string().nullable(),
  CommandLine: z.string().nullable(),
  /** File time as text: 100 ns ticks are too many for a number. */
  Started: z.string().nullable(),
});

/** Windows has no numeric user ids; Node says -1 as well. */
const NO_UID = -1;
const TCP_LINE = /^\s*TCP\s+(\S+):(\d+)\s+\S+:(\d+)\s.*?(\d+)\s*$/;

/**
 * Rows of another form are left out, and so are those without a start time (the idle process), which could not be
 * identified.
 */
export function parseProcesses(json: string): ProcessInfo[] {
  return rowsOf(json).flatMap((row) => {
    const parsed = processRow.safeParse(row);
    if (!parsed.success || parsed.data.Started === null) return [];
    const { ProcessId, ParentProcessId, Name, ExecutablePath, CommandLine, Started } = parsed.data;
    const info: ProcessInfo = {
      pid: ProcessId,
      startTime: Started,
      ppid: ParentProcessId,
      uid: NO_UID,
      name: Name ?? '',
      exe: ExecutablePath,
      argv: CommandLine === null ? [] : splitCommandLine(CommandLine),
      cwd: null,
    };
    return [info];
  });
}

/** `(Get-Process -Id PID).Modules.FileName`. */
export function parseModules(json: string): string[] {
  return [...new Set(rowsOf(json).filter((row) => typeof row === 'string'))];
}

interface OwnedListener extends Listener {
  readonly pid: number;
}

/**
 * `netstat -ano`: `TCP local:port foreign:port STATE pid`. STATE is in the language of the system; a listening socket
 * has the foreign port 0.
 */
export function parseListeners(output: string): OwnedListener[] {
  return output.split('\n').flatMap((line) => {
    const [, host, port, foreignPort, pid] = TCP_LINE.exec(line) ?? [];
    if (host === undefined || foreignPort !== '0' || Number(port) > 65_535) return [];
    const address = host.replace(/^\[(.*?)(?:%.*)?\]$/, '$1');
    return [{ address, port: Number(port), pid: Number(pid) }];
  });
}

/** ConvertTo-Json prints nothing for no rows and no array for one. */
function rowsOf(json: string): unknown[] {
  const text = json.replace(/^\uFEFF/, '').trim();
  if (text === '') return [];
  try {
    const rows: unknown = JSON.parse(text);
    return Array.isArray(rows) ? rows : [rows];
  } catch {
    // The output was cut off, or is an error message instead of JSON.
    return [];
  }
}
