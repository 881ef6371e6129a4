import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sweepTriggers, triggerOf } from '../../../../src/probes/drivers/clr/mono/mono-triggers.ts';

let folder = '';
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'clr-triggers-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

it('of processes that are gone are removed, and nothing else', () => {
  const gone = spawnSync('true').pid;
  const past = new Date(Date.now() - 60 * 60_000);
  const put = (name: string, content = '', at = past) => {
    fs.writeFileSync(path.join(folder, name), content);
    fs.utimesSync(path.join(folder, name), at, at);
  };
  put(triggerOf(gone));
  put(triggerOf(process.pid));
  put(`${triggerOf(gone)}.old`);
  put(`0${triggerOf(gone)}`);
  put(triggerOf(gone * 1000), 'somebody has written here');
  put(triggerOf(gone * 1000 + 1), '', new Date());
  fs.symlinkSync('/etc/passwd', path.join(folder, triggerOf(gone * 1000 + 2)));
  const before = fs.readdirSync(folder);
  sweepTriggers(folder);
  expect(fs.readdirSync(folder)).toEqual(before.filter((name) => name !== triggerOf(gone)));
  sweepTriggers(path.join(folder, 'nothing'));
});
