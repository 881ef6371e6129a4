import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNoExec } from '../../../../src/probes/support/agent-files/mounts.ts';

const TABLE = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:25 / /tmp rw,nosuid,noexec shared:5 - tmpfs tmpfs rw
31 30 0:26 / /tmp/a\\040b rw,nosuid - tmpfs tmpfs rw
32 22 0:27 / /tmpfoo rw - tmpfs tmpfs rw
`;

describe('mounts that forbid programs', () => {
  it.each([
    ['/tmp/x', true],
    ['/tmp', true],
    ['/tmp/a b/x', false],
    ['/tmpfoo/x', false],
    ['/srv', false],
  ])('%s: %s', (path, expected) => {
    expect(isNoExec(TABLE, path)).toBe(expected);
  });

  it('the last of two on one place counts', () => {
    expect(isNoExec(`${TABLE}33 30 0:28 / /tmp rw,nosuid - tmpfs tmpfs rw\n`, '/tmp/x')).toBe(false);
  });

  it('takes any text', () => {
    expect(isNoExec('', '/tmp')).toBe(false);
    fc.assert(fc.property(fc.string(), fc.string(), (table, path) => void isNoExec(table, path)));
  });
});
