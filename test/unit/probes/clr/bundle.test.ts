import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBundle, readBundleFile } from '../../../../src/probes/drivers/clr/identity/bundle.ts';

const MARK = Buffer.from('8b1202b96a612038727b930214d7a03213f5b9e6efae3318ee3b2dce24b36aae', 'hex');
const SETTINGS = '{"runtimeOptions":{}}';

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const i64 = (value: number | bigint) => Buffer.from(BigInt64Array.of(BigInt(value)).buffer);
const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);

/** A host, the settings, a header that leads to them; `before`: the number of bytes before the mark. */
function bundle({ major = 6, before = 1000, files = 2, changes = {} as Record<string, bigint> } = {}): Buffer {
  const host = Buffer.concat([Buffer.alloc(before, 7), i64(0), MARK, Buffer.alloc(100, 7)]);
  const at = host.length;
  host.writeBigInt64LE(changes.header ?? BigInt(at + SETTINGS.length), before);
  const [offset, length] = [i64(changes.offset ?? at), i64(changes.length ?? SETTINGS.length)];
  const start = [u32(major), u32(0), u32(files), text('id')];
  const locations = [i64(0), i64(0), offset, length, i64(0)];
  const entries = [
    i64(3),
    i64(4),
    Buffer.from([1]),
    text('App.dll'),
    offset,
    length,
    Buffer.from([4]),
    text('App.json'),
  ];
  return Buffer.concat([host, Buffer.from(SETTINGS), ...start, ...(major >= 2 ? locations : entries)]);
}

const readFrom = (bytes: Buffer) => (target: Buffer, position: number) =>
  position >= bytes.length ? 0 : bytes.copy(target, 0, position);
const read = (bytes: Buffer) => readBundle(readFrom(bytes), bytes.length);

describe('a .NET program that is one file', () => {
  it.each([1, 2, 6])('has its settings in it, in version %i', (major) => {
    expect(read(bundle({ major }))).toEqual({ major, settings: SETTINGS });
  });

  it('may have the mark anywhere', () => {
    // Also where two pieces of the file meet.
    for (const before of [8, 1024 * 1024 - 40, 1024 * 1024 - 8, 1024 * 1024, 3_000_000])
      expect(read(bundle({ before }))?.settings).toBe(SETTINGS);
  });

  it('may have no settings', () => {
    expect(read(bundle({ changes: { offset: 0n, length: 0n } }))).toEqual({ major: 6, settings: null });
    expect(read(bundle({ major: 1, files: 1 }))).toEqual({ major: 1, settings: null });
  });

  it.each<[string, Buffer]>([
    ['nothing is appended', bundle({ changes: { header: 0n } })],
    ['the header is outside', bundle({ changes: { header: 1n << 40n } })],
    ['the header is before the file', bundle({ changes: { header: -5n } })],
    ['the version is none', bundle({ major: 0 })],
    ['there are too many files', bundle({ files: 1_000_000 })],
    ['the header is cut', bundle().subarray(0, -20)],
    ['there is no mark', Buffer.alloc(5000)],
  ])('is none when %s', (_, bytes) => {
    expect(read(bytes)).toBeNull();
  });

  it.each([
    { offset: 1n << 50n },
    { offset: -1n },
    { length: -1n },
    { length: 1n << 40n },
    { length: 0x7fffffffffffffffn },
  ])('has no settings that lead elsewhere: %o', (changes) => {
    expect(read(bundle({ changes }))).toEqual({ major: 6, settings: null });
  });

  it('may be anything', () => {
    const whole = bundle({ before: 64 });
    const from = whole.indexOf(MARK) - 8;
    fc.assert(
      fc.property(fc.nat(whole.length - from - 1), fc.uint8Array({ minLength: 1, maxLength: 12 }), (at, noise) => {
        const bytes = Buffer.from(whole);
        bytes.set(noise.subarray(0, bytes.length - from - at), from + at);
        const found = read(bytes);
        expect(found === null || found.settings === null || found.settings.length <= bytes.length).toBe(true);
      }),
    );
    fc.assert(fc.property(fc.nat(whole.length), (length) => void read(whole.subarray(0, length))));
  });

  it('has to be a file', () => {
    expect(readBundleFile('/dev/zero')).toBeNull();
    expect(readBundleFile('/nowhere')).toBeNull();
    expect(readBundleFile(process.execPath)).toBeNull();
  });
});
