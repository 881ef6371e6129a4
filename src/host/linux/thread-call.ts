/**
 * In which call of the kernel a thread sleeps, as far as it is a wait for whatever comes next.
 *
 * `/proc/PID/task/TID/syscall` is `running`, or the number of the call, its six arguments, stack and program counter in
 * hex (`-1` for a thread that sleeps outside of a call). It tells the time-out, too, but may be read only by who may trace
 * the process. `wchan` beside it, the name of a function of the kernel, may be read by every process of the same user.
 */
import type { MainThreadWait } from '../../model/process.ts';

export type ThreadCall = Pick<MainThreadWait, 'call' | 'forMs'>;

/** Which argument is the time-out, and whether it is milliseconds or the address of a structure. */
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

/** The number of pread64, by which we read these files. */
const READS: ReadonlyMap<number, KernelCpu> = new Map([
  [17, 'x64'],
  [67, 'arm64'],
]);

const LINE = /^(-?\d{1,5})((?: 0x[0-9a-f]{1,16}){2,8})$/;
const EPOLL_FUNCTION = /^(?:do_|sys_)?ep(?:oll)?_p?(?:poll|wait)/;
const POLL_FUNCTION = /^(?:poll_schedule_timeout|do_(?:sys_)?poll)/;

/**
 * The CPU of the kernel, by what it says about the thread that reads this very file: a program that is emulated, and so is
 * told another one, sees the calls of the real one.
 */
export function cpuOfReader(text: string): KernelCpu | null {
  return READS.get(Number(LINE.exec(text.trimEnd())?.[1])) ?? null;
}

/** `elsewhere`: it runs, or sleeps in another call. Null: this is no such file. */
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
  // An int, of which a register may have more than its 32 bits.
  const forMs = Number(BigInt.asIntN(32, value));
  return { call: waiting.call, forMs: forMs < 0 ? null : forMs };
}

/** Of a thread that sleeps. Null: the kernel keeps it to itself. */
export function parseWaitChannel(text: string): ThreadCall | 'elsewhere' | null {
  const name = text.trimEnd();
  if (EPOLL_FUNCTION.test(name)) return { call: 'epoll', forMs: 'unknown' };
  if (POLL_FUNCTION.test(name)) return { call: 'poll', forMs: 'unknown' };
  return /^[A-Za-z_]/.test(name) ? 'elsewhere' : null;
}
