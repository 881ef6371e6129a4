import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { readPerfData } from '../../src/probes/drivers/jvm/hsperfdata.ts';
import { jdks, SHOP, startJava } from '../support/java.ts';
import { endAll } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

describe('the performance data of a real JVM', () => {
  const { inspector } = createHost();
  afterEach(endAll);

  const readOf = (target: Target) => {
    const details = inspector.details(target.info);
    if (!details) throw new Error('it is gone');
    return readPerfData(target.info, details, inspector);
  };

  it.each(jdks().map(({ version }) => version))('of Java %i', async (jdk) => {
    const target = await startJava(SHOP, { jdk, options: ['-Xmx64m'], args: ['one', 'two'] });
    expect(readOf(target)).toMatchObject({
      command: `${SHOP.main} one two`,
      version: jdk,
      takesAttach: true,
      options: expect.arrayContaining(['-Xmx64m']),
    });
  });

  it('says that attaching is switched off', async () => {
    expect(readOf(await startJava(SHOP, { options: ['-XX:+DisableAttachMechanism'] }))?.takesAttach).toBe(false);
  });

  it('is not there when it is switched off', async () => {
    expect(readOf(await startJava(SHOP, { options: ['-XX:-UsePerfData'] }))).toBeNull();
  });

  it('is not taken from the file of a process that is gone and had the same number', async () => {
    const target = await startJava(SHOP, { options: ['-XX:-UsePerfData'] });
    const real = await startJava(SHOP);
    const stale = `${path.dirname(perfFileOf(real))}/${target.pid}`;
    fs.copyFileSync(perfFileOf(real), stale);
    try {
      expect(readOf(target)).toBeNull();
      expect(readOf(real)).not.toBeNull();
    } finally {
      fs.rmSync(stale);
    }
  });

  it.runIf(process.getuid?.() === 0)('is believed only from the user of the process', async () => {
    const target = await startJava(SHOP);
    const other = await startJava(SHOP);
    const file = perfFileOf(target);
    expect(readOf(target)).not.toBeNull();
    fs.chownSync(file, 65534, 65534);
    expect(readOf(target)).toBeNull();
    fs.rmSync(file);
    fs.symlinkSync(perfFileOf(other), file);
    expect(readOf(target)).toBeNull();
    fs.rmSync(file);
  });

  function perfFileOf({ pid, info }: Target): string {
    const file = inspector.details(info)?.modules.find((mapped) => mapped.endsWith(`/${pid}`));
    if (file === undefined) throw new Error('it has none');
    return file;
  }
});
