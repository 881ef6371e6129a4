import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ListenerMemory } from '../../../src/host/linux/listener-memory.ts';

const REF = { pid: 42, startTime: '7' };
const SERVER = { address: '127.0.0.1', port: 8080, inode: '11' };
const OTHERS = { address: '127.0.0.1', port: 9090, inode: '99' };

describe('the memory of listening sockets', () => {
  let table = [SERVER, OTHERS];
  const read = vi.fn(() => table);

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    table = [SERVER, OTHERS];
    read.mockClear();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('reads the table twice, a moment apart, and not again while the sockets are the same', () => {
    const memory = new ListenerMemory();
    for (let ms = 0; ms < 100; ms += 10) {
      expect(memory.of(REF, ['10', '11'], read)).toEqual([SERVER]);
      vi.advanceTimersByTime(10);
    }
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('reads it for a socket that is new, and again until that had time to listen', () => {
    const memory = new ListenerMemory();
    table = [OTHERS];
    for (const isThere of [false, false, true, true]) {
      if (isThere) table = [SERVER, OTHERS];
      expect(memory.of(REF, ['10', '11'], read)).toEqual(isThere ? [SERVER] : []);
      vi.advanceTimersByTime(2);
    }
    expect(read).toHaveBeenCalledTimes(4);
  });

  it('knows without it that a socket was closed, and that a process has none', () => {
    const memory = new ListenerMemory();
    for (const _ of [1, 2]) {
      memory.of(REF, ['10', '11'], read);
      vi.advanceTimersByTime(10);
    }
    expect(memory.of(REF, ['10'], read)).toEqual([]);
    expect(memory.of({ pid: 43, startTime: '8' }, [], read)).toEqual([]);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('finds after a while that a socket of before has begun to listen', () => {
    const memory = new ListenerMemory();
    table = [OTHERS];
    for (const _ of [1, 2]) {
      memory.of(REF, ['11'], read);
      vi.advanceTimersByTime(10);
    }
    table = [SERVER];
    expect(memory.of(REF, ['11'], read)).toEqual([]);
    vi.advanceTimersByTime(2000);
    expect(memory.of(REF, ['11'], read)).toEqual([SERVER]);
  });

  it('takes another process with the same pid for another one', () => {
    const memory = new ListenerMemory();
    for (const startTime of ['7', '8']) memory.of({ pid: 42, startTime }, ['11'], read);
    expect(read).toHaveBeenCalledTimes(2);
  });
});
