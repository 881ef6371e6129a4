/** Programs with an inspector in namespaces of their own, as containers have them. */
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { attach, full } from '../contract/probe-contract.ts';
import { canContain, inContainer } from '../support/container.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { startProgram } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';
import { TARGET_NODE } from '../support/targets.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
const { inspector } = createHost();
const TARGETS = path.resolve(import.meta.dirname, '../targets');

describe.runIf(canContain())('in a container', () => {
  afterEach(endAll);

  it.each([
    ['of root', false],
    ['with users of its own', true],
  ])('%s, Node is read, and its inspector closed', async (_, isRootless) => {
    const by = inContainer({ isRootless });
    const target = await startProgram(TARGET_NODE, [path.join(TARGETS, 'shop.cjs')], { by });
    expect(inspector.network(target.info).id).toMatch(/^net:/);
    const probe = await attach(driver, target);
    const capture = await probe.capture(full());
    expect(new LeafReader().apply(capture.leaves).state()).toMatchObject({ 'settings.currency': 'EUR' });
    await until('the inspector to be closed', () => !inspector.isPortTaken(target.info, 9229));
    await probe.detach();
  });
});
