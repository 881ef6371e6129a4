import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AttachFactFinder } from '../../../src/daemon/attach-facts.ts';
import type { ProcessInfo } from '../../../src/model/process.ts';
import { FakeMachine } from '../../support/fake-machine.ts';
import { FAKE_PROCESS } from '../../support/fake-probe.ts';

const process = (pid: number, ppid: number, argv: string[] = ['node', 'x.js']): ProcessInfo => ({
  ...FAKE_PROCESS,
  pid,
  ppid,
  argv,
});

function finderOf(...appeared: ProcessInfo[]): AttachFactFinder {
  const finder = new AttachFactFinder(new FakeMachine().inspector);
  finder.takeScan({ appeared, gone: [], total: appeared.length });
  return finder;
}

describe('what is known of a process by those around it', () => {
  it('is whether programs that it has started run', () => {
    const finder = finderOf(process(10, 1), process(11, 10, ['npm', 'install']));
    expect([finder.runsOthers(10), finder.runsOthers(11)]).toEqual([true, false]);
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    finder.takeScan({ appeared: [], gone: [process(11, 10)], total: 1 });
    // The next command may come.
    expect(finder.runsOthers(10)).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(finder.runsOthers(10)).toBe(false);
  });

  it('is whether a tool has started it, with others between', () => {
    const vitest = process(10, 1, ['node', '/x/node_modules/.bin/vitest']);
    const finder = finderOf(vitest, process(11, 10, ['sh', '-c', 'x']), process(12, 11), process(13, 1));
    expect([finder.toolAbove(12), finder.toolAbove(13)]).toEqual(['test runner', null]);
    expect(finder.toolOf(10)).toBe('test runner');
  });
});
