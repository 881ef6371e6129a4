/**
 * Finds the system call in which a thread sleeps, if that is a wait for its next event.
 *
 * `/proc/PID/task/TID/syscall` is `running`, or the number of the call, its six arguments, stack and program counter in
 * hex (`-1` for a thread that sleeps outside of a call). It has the time-out, too, but only a process that may
 * trace this one can read it. `wchan` beside it, the name of a function of the kernel, may be read by every process of
 * the same user.
 */
import type { MainThreadWait } from '../../model/process.ts';

export type ThreadCall = Pick<MainThreadWait, 'call' | 'forMs'>;

/** The index of the time-out argument, and whether it is milliseconds or the address of a structure. */
interface Waiting {
  readonly call: ThreadCall['call'];
  readonly argument: number;
  readonly isAddress: boolean;
}

const EPOLL_MS: Waiting = { call: 'epoll', argument: 3, isAddress: false };
const EPOLL_ADDRESS: Waiting = { call: 'epoll', argument: 3, isAddress: true };
const POLL_MS: Waiting = { call: 'poll', argument: 2, isAddress: false };
const POLL_ADDRESS: Waiting = { call: 'poll', argument: 2, isAddress: true };

/** By number: epoll_wait, epoll_pwait, epoll_pwait2, poll and ppoll. */
const X64_WAITS: ReadonlyMap<number, Waiting> = new Map([
  [232, EPOLL_MS],
  [281, EPOLL_MS],
  [441, EPOLL_ADDRESS],
  [7, POLL_MS],
  [271, POLL_ADDRESS],
]);
const ARM64_WAITS: ReadonlyMap<number, Waiting> = new Map([
  [22, EPOLL_MS],
  [441, EPOLL_ADDRESS],
  [73, POLL_ADDRESS],
]);
const WAITS = { x64: X64_WAITS, arm64: ARM64_WAITS } as const;

export type KernelCpu = keyof typeof WAITS;

/** The number of pread64, by which this process reads these files. */
const READS: ReadonlyMap<number, KernelCpu> = new Map([
  [17, 'x64'],
  [67, 'arm64'],
]);

const LINE = /^(-?\d{1,5})((?: 0x[0-9a-f]{1,16}){2,8})$/;
const EPOLL_FUNCTION = /^(?:do_|sys_)?ep(?:oll)?_p?(?:poll|wait)/;
const POLL_FUNCTION = /^(?:poll_schedule_timeout|do_(?:sys_)?poll)/;

/**
 * The CPU of the kernel, from its file on the thread that reads this very file: an emulated program, which sees another
 * CPU, gets the calls of the real one.
 */
export function cpuOfReader(text: string): KernelCpu | null {
  return READS.get(Number(LINE.exec(text.trimEnd())?.[1])) ?? null;
}

/** `elsewhere`: it runs, or sleeps in another call. Null if this is no such file. */
export function parseThreadCall(text: string, cpu: KernelCpu): ThreadCall | 'elsewhere' | null {
  const line = text.trimEnd();
  if (line === 'running') return 'elsewhere';
  const [, number, words] = LINE.exec(line) ?? [];
  if (number === undefined || words === undefined) return null;
  const waiting = WAITS[cpu].get(Number(number));
  if (waiting === undefined) return 'elsewhere';
  const argument = words.trimStart().split(' ')[waiting.argument];
  if (argument === undefined) return null;
  const value = BigInt(argument);
  if (waiting.isAddress) return { call: waiting.call, forMs: value === 0n ? null : 'unknown' };
  // The time-out is an int, but a register may have more than its 32 bits.
  const forMs = Number(BigInt.asIntN(32, value));
  return { call: waiting.call, forMs: forMs < 0 ? null : forMs };
}

/** For a sleeping thread. Null if the kernel hides it. */
export function parseWaitChannel(text: string): ThreadCall | 'elsewhere' | null {
  const name = text.trimEnd();
  if (EPOLL_FUNCTION.test(name)) return { call: 'epoll', forMs: 'unknown' };
  if (POLL_FUNCTION.test(name)) return { call: 'poll', forMs: 'unknown' };
  return /^[A-Za-z_]/.test(name) ? 'elsewhere' : null;
}
