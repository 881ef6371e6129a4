import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../src/host/host.ts';
import { endAll, running, start } from '../../support/real-processes.ts';

const WITH_HANDLER =
  'process.on("SIGUSR1", () => console.log("signalled")); console.log("ready"); setInterval(() => {}, 1000)';

describe.runIf(process.platform === 'linux')('the signaller', () => {
  const { signal, inspector } = createHost();
  afterEach(endAll);

  it('reaches a process that handles the signal, and no successor of it', async () => {
    const node = start(process.execPath, ['-e', WITH_HANDLER]);
    const said = (word: string) =>
      new Promise<void>((resolve) => {
        node.child.stdout?.on('data', (text) => String(text).includes(word) && resolve());
      });
    await said('ready');
    const ref = await running(node, 'node');
    expect(() => signal({ ...ref, startTime: '1' }, 'SIGUSR1')).toThrow(/has ended/);
    const signalled = said('signalled');
    signal(ref, 'SIGUSR1');
    await signalled;
  });

  it.each(['SIGUSR1', 'SIGQUIT'] as const)('does not kill a process by %s', async (name) => {
    const sleep = await running(start('sleep', ['60']), 'sleep');
    expect(() => signal(sleep, name)).toThrow(/does not handle/);
    expect(inspector.isAlive(sleep)).toBe(true);
  });
});
