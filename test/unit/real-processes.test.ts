/** All tests of real programs rely on this: they end only processes that they started. */
import { ChildProcess } from 'node:child_process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endAll, start } from '../support/real-processes.ts';

afterEach(() => void vi.restoreAllMocks());

describe('a program that cannot be started', () => {
  it('is said at once, and is never signalled: that would end the process group of the tests', async () => {
    const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(false);
    expect(() => start('/nowhere/program', [])).toThrow('/nowhere/program cannot be started');
    await endAll();
    expect(kill).not.toHaveBeenCalled();
  });
});
