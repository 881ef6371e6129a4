/** Whether a file of a build is complete: a copy may have been cut short. */

const ELF = 0x7f454c46;
const ELF_MACHINES: Readonly<Record<string, number>> = { x64: 62, arm64: 183 };
const ZIP = 0x504b0304;
const ZIP_END = Buffer.from('PK\x05\x06', 'latin1');
/** The end of an archive, with the longest possible comment. */
const ZIP_END_BYTES = 22 + 0xffff;

/** Faults in the build of one runtime's agent. */
export interface BuildFaults {
  /** Names of files that are damaged. */
  readonly broken: readonly string[];
  /** The features that are missing without a file that was not built for this CPU; null if all files are there. */
  readonly missing: string | null;
}

export function brokenOf(files: readonly (readonly [string, boolean])[]): string[] {
  return files.flatMap(([name, isWhole]) => (isWhole ? [] : [name]));
}

export function isWholeZip(file: Buffer): boolean {
  const end = file.subarray(-ZIP_END_BYTES).lastIndexOf(ZIP_END);
  return file.length > 22 && file.readUInt32BE(0) === ZIP && end !== -1;
}

/** The table of sections is the last part of the file. */
export function isWholeElf(file: Buffer, cpu: string): boolean {
  if (file.length < 64 || file.readUInt32BE(0) !== ELF || file.readUInt16LE(18) !== ELF_MACHINES[cpu]) return false;
  const end = file.readBigUInt64LE(40) + BigInt(file.readUInt16LE(58) * file.readUInt16LE(60));
  return end <= BigInt(file.length);
}

/** Header at 0x3c; then 4 bytes, sections u16 at 6, size of the optional header u16 at 20; a section has 40 bytes. */
export function isWholePe(file: Buffer): boolean {
  try {
    const header = file.readUInt32LE(0x3c);
    if (file.toString('latin1', 0, 2) !== 'MZ' || file.toString('latin1', header, header + 4) !== 'PE\0\0')
      return false;
    const first = header + 24 + file.readUInt16LE(header + 20);
    const ends = Array.from({ length: file.readUInt16LE(header + 6) }, (_, at) => {
      const section = first + at * 40;
      return file.readUInt32LE(section + 16) + file.readUInt32LE(section + 20);
    });
    return ends.length > 0 && ends.every((end) => end <= file.length);
  } catch {
    // The file ends before its header does.
    return false;
  }
}
