/** Code of the app that V8's inspector would run when it describes a value. */
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { attach, bindingOf, fast, full } from '../contract/probe-contract.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { endAll, start, until } from '../support/real-processes.ts';
import { processInfo, startTarget, TARGET_NODE } from '../support/targets.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
const { inspector } = createHost();

describe('looking at objects that V8 describes by running their getters', () => {
  afterEach(endAll);

  it('runs none of them, however often, and reads what can be read without', async () => {
    const target = await startTarget('loud-when-described.cjs');
    const probe = await attach(driver, target);
    const capture = await probe.capture(full());
    const reader = new LeafReader().apply(capture.leaves);
    expect(reader.state()).toMatchObject({
      touched: 0,
      'inherits.kept': 'inherits',
      'owns.kept': 'owns',
      'holder.files.size': 1,
      'holder.files[0]': 'a.js',
      'holder.inner.kept': 'owns',
      'quiet.kept': 'quiet',
      'quiet.secret': 4,
      'state.list[0].kept': 'owns',
    });
    await probe.invoke(bindingOf(capture, 'quiet.bump'), {}, AbortSignal.timeout(25_000));
    for (let round = 0; round < 20; round++) reader.apply((await probe.capture(fast())).leaves);
    expect(reader.state()['quiet.secret']).toBe(5);
    await probe.capture({ ...full(), depth: 'deep' });
    await probe.detach();
    target.write('\n');
    await until('the count', () => target.output().includes('touched '));
    expect(target.output()).toContain('touched 0');
  });

  it('runs none of variables at the top of a script', async () => {
    const script = `
      let touched = 0;
      const list = Object.defineProperty({ splice() {}, kept: 1 }, 'length', { get: () => ++touched });
      setInterval(() => list, 1000);
      console.log('ready');
    `;
    const { pid, child } = start(TARGET_NODE, ['-e', script]);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const info = await processInfo(pid);
    const exited = Promise.resolve(null);
    const target = { pid, info, output: () => '', exited, exitCode: () => null, write: () => {} };
    const probe = await attach(driver, target);
    const reader = new LeafReader().apply((await probe.capture(full())).leaves);
    for (let round = 0; round < 5; round++) reader.apply((await probe.capture(fast())).leaves);
    expect(reader.state()).toMatchObject({ touched: 0, 'list.kept': 1 });
    await probe.detach();
    expect(inspector.isAlive(info)).toBe(true);
  });
});
