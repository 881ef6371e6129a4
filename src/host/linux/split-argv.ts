const NUL = 0;

/**
 * `/proc/PID/cmdline`: each argument followed by a NUL. A process that overwrites its arguments (`process.title`)
 * leaves a run of NULs behind, so empty arguments at the end are dropped. Bytes that are not UTF-8 become U+FFFD.
 */
export function splitArgv(bytes: Buffer, isTruncated: boolean): string[] {
  let end = bytes.length;
  if (isTruncated) {
    // Half an argument would read as another one; a single endless argument is still worth its beginning.
    const lastWhole = bytes.lastIndexOf(NUL);
    if (lastWhole > 0) end = lastWhole;
  }
  while (end > 0 && bytes[end - 1] === NUL) end--;
  return end === 0 ? [] : bytes.toString('utf8', 0, end).split('\0');
}
