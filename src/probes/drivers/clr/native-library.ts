/** Finds a folder from which the program can load a native library: not every file system allows execution. */
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../../model/process.ts';
import { AttachError } from '../../probe.ts';
import { AgentFolder, type FolderKind } from '../../support/agent-files/agent-folder.ts';
import { openSeenBy } from '../../support/agent-files/held-folder.ts';
import { isNoExec } from '../../support/agent-files/mounts.ts';

const TMP = '/tmp';

/** A folder of its own, beside that of the channel: containers mount /dev/shm without execution. */
export const LIBRARY_FOLDER: FolderKind = {
  prefix: 'substrate-clr-lib-',
  program: '.NET program',
  channel: new Set(),
};

/** Throws `AttachError` when no library could be loaded from there. */
export function checkExecution(process: ProcessInfo, inspect: ProcessInspector): void {
  if (!isNoExec(inspect.kernelFile(process, 'mountinfo') ?? '', TMP)) return;
  throw new AttachError(
    'The /tmp of the .NET program is mounted noexec, so that no library can be loaded from there, which this version of .NET needs for an attach.',
    { retry: false, remedy: 'Run the program on .NET 8 or later, or mount /tmp without noexec.' },
  );
}

/** Puts the files there. Call `remove` as soon as they are loaded. Throws `AttachError`. */
export function openLibraryFolder(
  process: ProcessInfo,
  details: ProcessDetails,
  inspect: ProcessInspector,
  files: ReadonlyMap<string, Buffer>,
): AgentFolder {
  checkExecution(process, inspect);
  const parent = openSeenBy(process, TMP, inspect);
  let folder: AgentFolder;
  try {
    folder = AgentFolder.open(LIBRARY_FOLDER, process, details, parent);
  } catch (error) {
    parent.close();
    throw error;
  }
  try {
    folder.put(files, []);
    return folder;
  } catch (error) {
    folder.remove();
    throw error;
  }
}

/** Removes the folder that a killed daemon left. Never throws. */
export function removeLibraryFolder(process: ProcessInfo, details: ProcessDetails, inspect: ProcessInspector): void {
  try {
    const parent = openSeenBy(process, TMP, inspect);
    try {
      if (AgentFolder.isThere(LIBRARY_FOLDER, process, details, parent))
        AgentFolder.open(LIBRARY_FOLDER, process, details, parent).remove();
      else parent.close();
    } catch {
      // The folder stays, and the next sweep removes it.
      parent.close();
    }
  } catch {
    // The program has no such folder.
  }
}
