/**
 * `/proc/PID/stat`: one line, `pid (comm) state ppid …`, fields numbered from 1 as in proc(5). comm may contain
 * anything, even `) R 1`; no later field contains a `)`, so the last one ends comm.
 */

export interface StatLine {
  readonly name: string;
  readonly ppid: number;
  /** Clock ticks since boot, as text, because it is mostly compared. */
  readonly startTime: string;
  /** Clock ticks of all threads together. */
  readonly cpuTicks: number;
  /** The kernel's own threads have neither executable nor command line. */
  readonly isKernelThread: boolean;
  /** The process has ended and waits to be reaped. */
  readonly hasEnded: boolean;
  /**
   * Addresses of code and stack. Each exec chooses them anew (at random, or by program and arguments without
   * randomisation), and nothing else changes them. Null where the kernel hides them: another user's process, or a
   * zombie.
   */
  readonly image: string | null;
}

const CLOSING_PARENTHESIS = 0x29;
const OPENING_PARENTHESIS = 0x28;
/** PF_KTHREAD of the kernel's `flags`. */
const KERNEL_THREAD_FLAG = 0x00200000;
const NUMBER = /^\d+$/;
/** Clock ticks per second as programs see them (USER_HZ): 100 on all CPUs that Node runs on. */
export const TICKS_PER_SECOND = 100;

/** The first field after comm is number 3. */
const index = (fieldNumber: number): number => fieldNumber - 3;
const LAST_FIELD_USED = 28;

export function parseStatLine(bytes: Buffer): StatLine | null {
  const open = bytes.indexOf(OPENING_PARENTHESIS);
  const close = bytes.lastIndexOf(CLOSING_PARENTHESIS);
  if (open === -1 || close < open) return null;
  const fields = bytes.toString('latin1', close + 2).split(' ', index(LAST_FIELD_USED) + 1);
  const state = fields[index(3)];
  const ppid = fields[index(4)];
  const flags = fields[index(9)];
  const threads = fields[index(20)];
  const startTime = fields[index(22)];
  if (state === undefined || ppid === undefined || flags === undefined || threads === undefined) return null;
  if (startTime === undefined || !NUMBER.test(startTime) || !NUMBER.test(ppid)) return null;
  return {
    name: bytes.toString('utf8', open + 1, close),
    ppid: Number(ppid),
    startTime,
    cpuTicks: Number(fields[index(14)]) + Number(fields[index(15)]),
    isKernelThread: (Number(flags) & KERNEL_THREAD_FLAG) !== 0,
    // A main thread may end before the others: it is then listed as a zombie while the process lives on.
    hasEnded: state === 'X' || (state === 'Z' && Number(threads) <= 1),
    image: imageOf(fields),
  };
}

function imageOf(fields: readonly string[]): string | null {
  const startStack = fields[index(28)];
  if (startStack === undefined || startStack === '0') return null;
  return `${fields[index(26)]} ${fields[index(27)]} ${startStack}`;
}
