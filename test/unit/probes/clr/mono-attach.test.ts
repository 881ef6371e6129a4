import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uidInside, userName } from '../../../../src/probes/drivers/clr/mono/attach-socket.ts';
import { encodeAttach } from '../../../../src/probes/drivers/clr/mono/mono-attach.ts';
import { parseMonoBuild, readMonoBuild } from '../../../../src/probes/drivers/clr/mono/mono-build.ts';

describe('what Mono is told', () => {
  it('is as it reads it', () => {
    expect(encodeAttach('terminated', '/a.dll', '/b').toString('latin1')).toBe(
      'MONO\x01\0\x17\0\0\0\x12\x06attach\0\x12\x06/a.dll\0\x12\x02/b\0',
    );
    expect(encodeAttach('counted', '/a.dll', '/b').toString('latin1')).toBe(
      'MONO\x01\0\x14\0\0\0\x12\x06attach\x12\x06/a.dll\x12\x02/b',
    );
  });

  it('has no text in it that would end the program', () => {
    expect(encodeAttach('terminated', 'x'.repeat(127), '').length).toBeGreaterThan(127);
    expect(() => encodeAttach('terminated', 'x'.repeat(128), '')).toThrow(RangeError);
    expect(() => encodeAttach('terminated', '/a', 'é'.repeat(64))).toThrow(RangeError);
    expect(() => encodeAttach('counted', '/a\0b', '')).toThrow(RangeError);
    // Without `size` they would all be short.
    const text = fc.string({ maxLength: 200, size: 'max' });
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(text, text, (assembly, argument) => {
        const fits = [assembly, argument].every((text) => Buffer.byteLength(text) < 128 && !text.includes('\0'));
        seen.add(fits);
        const encode = () => encodeAttach('terminated', assembly, argument);
        if (fits) expect(encode().readUInt32LE(6)).toBe(encode().length - 10);
        else expect(encode).toThrow(RangeError);
      }),
    );
    expect(seen.size).toBe(2);
  });
});

describe('the file of a Mono runtime', () => {
  const attach = '\0/tmp/mono-%s\0/tmp/.mono_attach_pid%ld\0';
  const build = (text: string) => parseMonoBuild(Buffer.from(text, 'latin1'));

  it('tells which messages it takes, and its version', () => {
    expect(build(`\x006.12.0.200\0${attach}!strcmp (cmd, "attach")\0`)).toEqual({
      version: '6.12.0.200',
      frame: 'counted',
    });
  });

  it.each([
    ['takes no attaches', 'content_len >= 10 && !memcmp (cmd, "attach", 7)'],
    ['does not say', attach],
    ['says both', `${attach}content_len >= 10 && !memcmp\0!strcmp (cmd, "attach")`],
  ])('is left alone when it %s', (_, text) => {
    expect(build(text).frame).toBeNull();
  });

  it('may be anything', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => void expect(parseMonoBuild(Buffer.from(bytes)).frame).toBeNull()),
    );
    expect(readMonoBuild('/dev/zero')).toEqual({ version: null, frame: null });
    expect(readMonoBuild('/nowhere')).toEqual({ version: null, frame: null });
  });
});

describe('the user of a Mono program', () => {
  const PASSWD =
    'root:x:0:0:root:/root:/bin/bash\nada:x:1000:1000::/home/ada:\n+::::::\nno number:x:::\n../x:x:7:7:::\n';

  it('has the name that its /etc/passwd says', () => {
    expect(userName(PASSWD, 0)).toBe('root');
    expect(userName(PASSWD, 1000)).toBe('ada');
    expect(userName(PASSWD, 1001)).toBeNull();
    // It would become a part of a path.
    expect(userName(PASSWD, 7)).toBeNull();
    expect(userName('', 0)).toBeNull();
  });

  it('may have another number in a container', () => {
    expect(uidInside('         0          0 4294967295\n', 1000)).toBe(1000);
    expect(uidInside('0 1000 1\n', 1000)).toBe(0);
    expect(uidInside('0 1000 1\n1 100000 65536\n', 100_032)).toBe(33);
    expect(uidInside('0 1000 1\n', 1001)).toBeNull();
    expect(uidInside(null, 5)).toBe(5);
  });

  it('may be anything', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (text, uid) => {
        const name = userName(text, uid);
        expect(name === null || (name !== '' && !name.includes('/'))).toBe(true);
        const inside = uidInside(text, uid);
        expect(inside === null || typeof inside === 'number').toBe(true);
      }),
    );
  });
});
