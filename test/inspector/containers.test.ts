/** Programs with an inspector in namespaces of their own, as containers have them. */
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { closeLeftInspectors } from '../../src/probes/drivers/v8/node/left-inspectors.ts';
import { hasMark, leaveMark } from '../../src/probes/drivers/v8/node/signal-mark.ts';
import { attach, full } from '../contract/probe-contract.ts';
import { CHROMIUM, CHROMIUM_FLAGS } from '../support/chromium.ts';
import { canContain, inContainer } from '../support/container.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { startProgram } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';
import { hasRuntime, runtime } from '../support/runtimes.ts';
import { TARGET_NODE } from '../support/targets.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
const { inspector } = createHost();
const SIGUSR1_BIT = 1n << 9n;
const TARGETS = path.resolve(import.meta.dirname, '../targets');

describe.runIf(canContain())('in a container', () => {
  afterEach(endAll);

  it.each([
    ['of root', 0, inContainer()],
    ['with users of its own', 0, inContainer({ isRootless: true })],
    [
      'whose users are others outside',
      101_000,
      [...inContainer({ hasUserRange: true }), 'setpriv', '--reuid=1000', '--clear-groups'],
    ],
  ])('%s, Node is read, and its inspector closed', async (_, uid, by) => {
    const target = await startProgram(TARGET_NODE, [path.join(TARGETS, 'shop.cjs')], { by });
    expect(inspector.network(target.info).id).toMatch(/^net:/);
    expect(target.info.uid).toBe(uid);
    const probe = await attach(driver, target);
    const capture = await probe.capture(full());
    expect(new LeafReader().apply(capture.leaves).state()).toMatchObject({ 'settings.currency': 'EUR' });
    await until('the inspector to be closed', () => !inspector.isPortTaken(target.info, 9229));
    await probe.detach();
  });

  it('what a daemon has left open that was killed is closed by the next one', async () => {
    const { info } = await startProgram(TARGET_NODE, [path.join(TARGETS, 'shop.cjs')], { by: inContainer() });
    leaveMark(info);
    process.kill(info.pid, 'SIGUSR1');
    await until('the inspector', () => inspector.isPortTaken(info, 9229));
    await closeLeftInspectors(inspector);
    await until('it to be closed', () => !inspector.isPortTaken(info, 9229));
    expect(hasMark(info)).toBe(false);
  });

  it.runIf(hasRuntime('deno'))('Deno is read, and let go of', async () => {
    const target = await startProgram(runtime('deno'), ['run', path.join(TARGETS, 'deno/inbox.mts')], {
      by: inContainer(),
      env: { DENO_DIR: '/tmp/deno', DENO_NO_UPDATE_CHECK: '1' },
    });
    await until('the handler', () => ((inspector.details(target.info)?.caughtSignals ?? 0n) & SIGUSR1_BIT) !== 0n);
    const probe = await attach(driver, target);
    const capture = await probe.capture(full());
    expect(new LeafReader().apply(capture.leaves).state()).toMatchObject({ 'inbox.emails[1].subject': 'Invoice' });
    await probe.detach();
    await until('the inspector to be closed', () => inspector.listeners(target.info).length === 0);
  });

  it('Chromium is read by the debugging port that it has open', async () => {
    const page = 'data:text/html,<title>Shelf</title><script>var shelf = {books: 3}</script>';
    const options = [...CHROMIUM_FLAGS, '--user-data-dir=/tmp/profile', '--remote-debugging-port=0', page];
    const target = await startProgram(CHROMIUM, options, { by: inContainer(), ready: /DevTools listening/ });
    const probe = await attach(driver, target);
    const reader = new LeafReader();
    await until('the page', async () => {
      const { leaves } = await probe.capture(full());
      return Object.entries(reader.apply(leaves).state()).some(
        ([key, value]) => /shelf\.books$/.test(key) && value === 3,
      );
    });
    await probe.detach();
  });
});
