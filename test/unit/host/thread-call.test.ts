import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProcFs } from '../../../src/host/linux/proc-fs.ts';
import { cpuOfReader, parseThreadCall, parseWaitChannel } from '../../../src/host/linux/thread-call.ts';

/** As written by the kernel, for Node, Chromium and others. */
const ARM64 = {
  forever: '22 0xe 0xfffff66058e0 0x400 0xffffffffffffffff 0x0 0x8 0xfffff6604720 0xffff8633c0f4\n',
  fiveSeconds: '22 0xe 0xffffcb973c10 0x400 0x1388 0x0 0x8 0xffffcb972a50 0xffffa7eec0f4\n',
  windows: '73 0x1c00197440 0x2 0xffffd2565b20 0x0 0x0 0x0 0xffffd2565b20 0xffff9b9e1c40\n',
  futex: '98 0x4187b590 0x189 0x0 0x0 0x0 0xffffffff 0xffffcf4c8a60 0xffffb78ee838\n',
  stopped: '-1 0xffffde18e5d0 0xffff8bc1c0f4\n',
};
const X64 = {
  forever: '232 0x4 0x7ffdf82e11b0 0x1f 0xffffffff 0x100 0x7ffdf82e11bf 0x7ffdf82e11a0 0x7f9114681193\n',
  futex: '202 0x7f7702fc4800 0x0 0x0 0x0 0x0 0x0 0x7ffd0ed23060 0x43b629\n',
};
/** The same form, with the relevant arguments. */
const line = (number: number, third: string, fourth: string) =>
  `${number} 0xd 0x7ffc1b2f0a10 ${third} ${fourth} 0x0 0x8 0x7ffc1b2ef8c8 0x7f2f6d0a5d16\n`;

describe('the call in which a thread sleeps', () => {
  it('is read on arm64', () => {
    expect(parseThreadCall(ARM64.forever, 'arm64')).toEqual({ call: 'epoll', forMs: null });
    expect(parseThreadCall(ARM64.fiveSeconds, 'arm64')).toEqual({ call: 'epoll', forMs: 5000 });
    expect(parseThreadCall(ARM64.windows, 'arm64')).toEqual({ call: 'poll', forMs: 'unknown' });
    expect(parseThreadCall(ARM64.futex, 'arm64')).toBe('elsewhere');
    expect(parseThreadCall(ARM64.stopped, 'arm64')).toBe('elsewhere');
    expect(parseThreadCall('running\n', 'arm64')).toBe('elsewhere');
  });

  it('is read on x64', () => {
    expect(parseThreadCall(X64.forever, 'x64')).toEqual({ call: 'epoll', forMs: null });
    expect(parseThreadCall(X64.futex, 'x64')).toBe('elsewhere');
    expect(parseThreadCall(line(281, '0x400', '0x3e8'), 'x64')).toEqual({ call: 'epoll', forMs: 1000 });
    expect(parseThreadCall(line(281, '0x400', '0x0'), 'x64')).toEqual({ call: 'epoll', forMs: 0 });
    expect(parseThreadCall(line(441, '0x400', '0x0'), 'x64')).toEqual({ call: 'epoll', forMs: null });
    expect(parseThreadCall(line(441, '0x400', '0x7ffc1b2f0b00'), 'x64')).toEqual({ call: 'epoll', forMs: 'unknown' });
    expect(parseThreadCall(line(7, '0xffffffff', '0x0'), 'x64')).toEqual({ call: 'poll', forMs: null });
    expect(parseThreadCall(line(7, '0x21', '0x0'), 'x64')).toEqual({ call: 'poll', forMs: 33 });
    expect(parseThreadCall(line(271, '0x0', '0x0'), 'x64')).toEqual({ call: 'poll', forMs: null });
  });

  it('is another one on the other CPU', () => {
    expect(parseThreadCall(ARM64.forever, 'x64')).toBe('elsewhere');
    expect(parseThreadCall(X64.forever, 'arm64')).toBe('elsewhere');
  });

  it('is not known where there is no such file', () => {
    expect(parseThreadCall('', 'x64')).toBeNull();
  });

  it('is never guessed from half a line', () => {
    for (const text of [ARM64.forever, ARM64.fiveSeconds]) {
      for (let length = 0; length < '22 0xe 0xffffcb973c10 0x400'.length; length++) {
        const read = parseThreadCall(text.slice(0, length), 'arm64');
        expect(read === null || read === 'elsewhere').toBe(true);
      }
    }
  });

  it('takes any text, and gives a time-out that a timer can have', () => {
    const words = fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => `0x${value.toString(16)}`));
    const likely = fc
      .tuple(fc.constantFrom(7, 22, 73, 232, 271, 281, 441, -1), words)
      .map(([number, args]) => [number, ...args].join(' '));
    fc.assert(
      fc.property(fc.oneof(fc.string(), likely), fc.constantFrom('x64' as const, 'arm64' as const), (text, cpu) => {
        const read = parseThreadCall(text, cpu);
        if (read === null || read === 'elsewhere' || typeof read.forMs !== 'number') return;
        expect(read.forMs).toBeGreaterThanOrEqual(0);
        expect(read.forMs).toBeLessThan(2 ** 31);
      }),
    );
  });
});

describe('the CPU of the kernel', () => {
  it('is that of the call by which the file is read', () => {
    const arm64 = '67 0x12 0x2e30efc0 0x1000 0x0 0x0 0xfffffbd72520 0xfffffbd72190 0xffff9604bc84\n';
    expect(cpuOfReader(arm64)).toBe('arm64');
    expect(cpuOfReader(line(17, '0x20000', '0x0'))).toBe('x64');
    expect(cpuOfReader(ARM64.forever)).toBeNull();
    expect(cpuOfReader('')).toBeNull();
  });

  it.runIf(process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch))('is found on this machine', () => {
    expect(new ProcFs().cpu()).not.toBeNull();
  });

  it('takes any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void cpuOfReader(text)));
  });
});

describe('the function of the kernel in which a thread sleeps', () => {
  it.each([
    ['do_epoll_wait', { call: 'epoll', forMs: 'unknown' }],
    ['ep_poll', { call: 'epoll', forMs: 'unknown' }],
    ['poll_schedule_timeout.constprop.0', { call: 'poll', forMs: 'unknown' }],
    ['do_sys_poll', { call: 'poll', forMs: 'unknown' }],
    ['futex_do_wait', 'elsewhere'],
    ['do_wait', 'elsewhere'],
    ['hrtimer_nanosleep', 'elsewhere'],
    ['do_exit', 'elsewhere'],
    ['pipe_read', 'elsewhere'],
    ['0', null],
    ['', null],
  ])('%s', (name, expected) => {
    expect(parseWaitChannel(name)).toEqual(expected);
  });

  it('takes any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseWaitChannel(text)));
  });
});
