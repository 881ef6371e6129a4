import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../src/host/host.ts';
import { isSameProgram } from '../../../src/probes/support/is-same-program.ts';
import { end, endAll, start, until } from '../../support/real-processes.ts';
import { processInfo } from '../../support/targets.ts';
import { tempFolder } from '../store/temp-folder.ts';

const { inspector } = createHost();

describe.runIf(process.platform === 'linux')('a program that has an agent', () => {
  afterEach(endAll);

  it('is the same until it ends, or becomes another one', async () => {
    const shell = start('sh', ['-c', 'read line; exec sleep 60']);
    const info = await until('its arguments', async () => {
      const seen = await processInfo(shell.pid);
      return seen.argv.includes('-c') && seen;
    });
    expect(isSameProgram(info, inspector)).toBe(true);
    shell.child.stdin?.write('\n');
    await until('the other program', () => !isSameProgram(info, inspector));
    expect(inspector.isAlive(info)).toBe(true);
    await end(shell);
    expect(isSameProgram(info, inspector)).toBe(false);
  });

  it('is the same when its file has been removed, as an update does', async () => {
    const file = path.join(tempFolder(), 'sleeper');
    fs.copyFileSync('/bin/sleep', file);
    const { pid } = start(file, ['60']);
    const info = await until('its executable', async () => {
      const seen = await processInfo(pid);
      return seen.exe === file && seen;
    });
    fs.rmSync(file);
    expect([info, await processInfo(pid)].map((one) => isSameProgram(one, inspector))).toEqual([true, true]);
  });
});
