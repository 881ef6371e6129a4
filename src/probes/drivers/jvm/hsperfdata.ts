/**
 * Reads the facts that HotSpot publishes about itself in `/tmp/hsperfdata_<user>/<pid>`. Layout, numbers in the byte
 * order that the header names:
 *
 *   header: 0 magic ca fe c0 c0, 4 byte order (0 big, 1 little), 5 major version (2), 7 accessible, 24 offset of the
 *     first entry u32, 28 number of entries u32
 *   entry:  0 length u32, 4 offset of the name u32, 8 length of the value u32 (0: a scalar), 12 type (`B`: bytes),
 *     16 offset of the value u32; names and texts end with NUL
 *
 * The file is whatever the user of the process wrote there: every number in it is checked.
 */
import type { ProcessDetails, ProcessInspector, ProcessRef } from '../../../model/process.ts';
import { type HeldFolder, openSeenBy } from '../../support/agent-files/held-folder.ts';
import { TMP } from './jvm-folder.ts';

const MAGIC = 0xcafec0c0;
const HEADER_BYTES = 32;
const ENTRY_BYTES = 20;
const BYTES_TYPE = 'B'.charCodeAt(0);
/** HotSpot makes it 32 KiB large; an option can make it larger. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_ENTRIES = 20_000;
const MAX_NAME_BYTES = 200;
const MAX_TEXT_BYTES = 64 * 1024;

/** Text values by their names. */
export type PerfTexts = ReadonlyMap<string, string>;

/** Null if it is no such file, or not finished yet. */
export function parsePerfData(file: Buffer): PerfTexts | null {
  if (file.length < HEADER_BYTES || file.readUInt32BE(0) !== MAGIC || file[5] !== 2 || file[7] !== 1) return null;
  const u32 = file[4] === 1 ? (at: number) => file.readUInt32LE(at) : (at: number) => file.readUInt32BE(at);
  const texts = new Map<string, string>();
  const count = Math.min(u32(28), MAX_ENTRIES);
  for (let number = 0, at = u32(24); number < count && at + ENTRY_BYTES <= file.length; number++) {
    const length = u32(at);
    if (length < ENTRY_BYTES || at + length > file.length) break;
    if (file[at + 12] === BYTES_TYPE) {
      const entry = file.subarray(at, at + length);
      const name = textAt(entry, u32(at + 4), MAX_NAME_BYTES);
      const value = textAt(entry, u32(at + 16), Math.min(u32(at + 8), MAX_TEXT_BYTES));
      if (name !== '') texts.set(name, value);
    }
    at += length;
  }
  return texts;
}

function textAt(entry: Buffer, offset: number, maxBytes: number): string {
  const bytes = entry.subarray(offset, offset + maxBytes);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}

export interface PerfData {
  /** `sun.rt.javaCommand`: the main class or jar, and its arguments. */
  readonly command: string | null;
  /** Major version from `java.version`: 8, 17, … */
  readonly version: number | null;
  /** Options of the virtual machine, wherever they were given. */
  readonly options: readonly string[];
  /** False if attaching is switched off: SIGQUIT would write a thread dump. Null if the file does not say. */
  readonly takesAttach: boolean | null;
}

/** Null if no file can be trusted: the virtual machine may be starting, or runs with -XX:-UsePerfData. */
export function readPerfData(process: ProcessRef, details: ProcessDetails, inspect: ProcessInspector): PerfData | null {
  const texts = findPerfTexts(process, details, inspect);
  if (!texts) return null;
  const capabilities = texts.get('sun.rt.jvmCapabilities') ?? '';
  return {
    command: texts.get('sun.rt.javaCommand') || null,
    version: majorVersion(texts.get('java.property.java.version') ?? texts.get('java.property.java.vm.version') ?? ''),
    options: `${texts.get('java.rt.vmArgs') ?? ''} ${texts.get('java.rt.vmFlags') ?? ''}`.split(/\s+/),
    takesAttach: capabilities === '' ? null : capabilities.startsWith('1'),
  };
}

/** `17.0.2` is 17, `1.8.0_292` is 8, `25-ea` is 25. */
export function majorVersion(text: string): number | null {
  const version = /^(?:1\.)?(\d{1,3})\b/.exec(text)?.[1];
  return version === undefined ? null : Number(version);
}

/**
 * The folder `hsperfdata_<user>` of the file that the process has mapped as its own; null if it has none. A killed
 * process leaves its file behind for the next process with this pid, and a forked child has its parent's file mapped.
 */
export function perfFolderOf({ modules, namespacePid }: ProcessDetails): string | null {
  const own = new RegExp(`/(hsperfdata_[^/]+)/${namespacePid}$`);
  for (const file of modules) {
    const folder = own.exec(file)?.[1];
    if (folder !== undefined) return folder;
  }
  return null;
}

function findPerfTexts(process: ProcessRef, details: ProcessDetails, inspect: ProcessInspector): PerfTexts | null {
  const folder = perfFolderOf(details);
  if (folder === null) return null;
  let tmp: HeldFolder;
  try {
    tmp = openSeenBy(process, TMP, inspect);
  } catch {
    // No folder, no performance data: the caller knows what that means.
    return null;
  }
  try {
    return readFrom(tmp, folder, String(details.namespacePid), details.effectiveUid);
  } finally {
    tmp.close();
  }
}

function readFrom(tmp: HeldFolder, folderName: string, fileName: string, owner: number): PerfTexts | null {
  let folder: HeldFolder;
  try {
    folder = tmp.openFolder(folderName);
  } catch {
    // No folder, no performance data: the caller knows what that means.
    return null;
  }
  try {
    if (folder.stat().uid !== owner) return null;
    const file = folder.read(fileName, owner, MAX_FILE_BYTES);
    return file && parsePerfData(file);
  } finally {
    folder.close();
  }
}
