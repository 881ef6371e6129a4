/** A program with a state too large to fit into its heap twice. It ends at the first OutOfMemoryError. */
import { afterEach, describe, expect, it } from 'vitest';
import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { jdks, startJava } from '../support/java.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';

const driver = createJvmDriver(jvm.settings.parse({}));

afterEach(endAll);

describe('a program with long keys and a small heap', () => {
  it.each(jdks().map(({ version }) => version))('lives, and is read in part: Java %i', async (jdk) => {
    const target = await startJava(
      { target: 'smallheap', main: 'com.example.smallheap.SmallHeap' },
      { jdk, ready: /ready/, options: ['-Xmx64m', '-XX:+ExitOnOutOfMemoryError'] },
    );
    const app = await ProbedApp.attach(driver, target.info);
    const state = await app.read();
    const keys = Object.keys(state);
    expect(keys.some((key) => key.includes('["select ') && key.endsWith('.calls'))).toBe(true);
    expect(keys.some((key) => key.endsWith('.plans[0]'))).toBe(true);
    // Omitted parts do not come and go.
    for (let round = 0; round < 5; round++) {
      await app.read();
      expect(app.capture?.leaves).toEqual({ kind: 'same' });
      expect(app.capture?.coverage).toBeLessThan(1);
    }
    target.write('\n');
    await app.until('the change', (seen) => Object.entries(seen).some(isFourConnections));
    await app.probe.detach();
    expect(target.exitCode()).toBeNull();
    expect(target.output()).not.toContain('OutOfMemoryError');
  });
});

function isFourConnections([key, value]: [string, unknown]): boolean {
  return key.endsWith('.connections') && value === 4;
}
