/**
 * Windows, by PowerShell and netstat. There are no signals to handle and no dynamic symbol names of the ELF kind: both
 * read as "none".
 */

import { codeOf } from '../model/failure.ts';
import type { Host, ProcessInfo, ProcessInspector, ProcessRef } from '../model/process.ts';
import { detailsOf, ListScanner, UNREPORTED } from './list-scanner.ts';
import { runCommand, runCommandSync } from './run-command.ts';
import { parseListeners, parseModules, parseProcesses } from './windows-output.ts';

const UTF8_OUTPUT = '[Console]::OutputEncoding=[Text.Encoding]::UTF8;';
const LIST_PROCESSES =
  'Get-CimInstance Win32_Process | Select-Object ProcessId,ParentProcessId,Name,ExecutablePath,CommandLine,' +
  "@{Name='Started';Expression={if($_.CreationDate){$_.CreationDate.ToFileTimeUtc().ToString()}}} | " +
  'ConvertTo-Json -Compress';

export function createWindowsHost(): Host {
  const scanner = new ListScanner(listProcesses);
  return {
    scanner,
    inspector: createInspector(scanner),
    signal: (ref, signal) => {
      throw new Error(`Windows has no ${signal}: not sent to process ${ref.pid}`);
    },
  };
}

async function listProcesses(): Promise<ProcessInfo[]> {
  const found = parseProcesses(await runCommand('powershell.exe', powershell(LIST_PROCESSES)));
  // Win32_Process always lists at least this process: nothing means broken output, not an empty machine.
  if (found.length === 0) throw new Error('PowerShell listed no processes');
  return found;
}

function powershell(script: string): string[] {
  return ['-NoProfile', '-NonInteractive', '-Command', UTF8_OUTPUT + script];
}

function createInspector(scanner: ListScanner): ProcessInspector {
  /** A start of PowerShell takes half a second, too long for each check: the last scan is used. */
  const isAlive = (ref: ProcessRef): boolean => scanner.saw(ref) && pidExists(ref.pid);
  const listening = () => parseListeners(runCommandSync('netstat.exe', ['-ano']));
  return {
    isAlive,
    details(ref) {
      const script = `(Get-Process -Id ${ref.pid}).Modules.FileName | ConvertTo-Json -Compress`;
      const modules = isAlive(ref) ? parseModules(runCommandSync('powershell.exe', powershell(script))) : [];
      return isAlive(ref) ? detailsOf(ref, modules) : null;
    },
    listeners(ref) {
      if (!isAlive(ref)) return [];
      return listening()
        .filter((listener) => listener.pid === ref.pid)
        .map(({ address, port }) => ({ address, port }));
    },
    isPortTaken: (ref, port) => isAlive(ref) && listening().some((listener) => listener.port === port),
    ...UNREPORTED,
  };
}

function pidExists(pid: number): boolean {
  try {
    // Signal 0 only checks.
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
