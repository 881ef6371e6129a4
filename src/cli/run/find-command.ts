/** Finds the file of a command, as a shell would. */
import fs from 'node:fs';
import path from 'node:path';

export type FoundCommand =
  | { readonly file: string }
  /** The exit codes of shells: 127 if there is none; 126 if it cannot be run. */
  | { readonly code: 126 | 127; readonly message: string };

export function findCommand(command: string, searchPath: string, cwd: string): FoundCommand {
  if (command.includes('/')) return judge(command, [path.resolve(cwd, command)]);
  const folders = searchPath.split(path.delimiter).map((folder) => path.resolve(cwd, folder));
  return judge(command, command === '' ? [] : folders.map((folder) => path.join(folder, command)));
}

function judge(command: string, candidates: readonly string[]): FoundCommand {
  const files = candidates.filter(isFile);
  const file = files.find(isExecutable);
  if (file !== undefined) return { file };
  const [other] = files;
  if (other !== undefined) return { code: 126, message: `${other} cannot be run: it is not executable.` };
  return { code: 127, message: `There is no command "${command}".` };
}

function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    // Absent or inaccessible: shells also go on with the next folder.
    return false;
  }
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return true;
  } catch {
    // It is not executable.
    return false;
  }
}
