import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { majorVersion, parsePerfData } from '../../../../src/probes/drivers/jvm/hsperfdata.ts';

interface Entry {
  readonly name: string;
  readonly text?: string;
  readonly number?: bigint;
}

/** A file as HotSpot writes it. */
function perfFile(
  entries: readonly Entry[],
  { littleEndian = true, accessible = 1, count = entries.length } = {},
): Buffer {
  const u32 = (buffer: Buffer, value: number, at: number) =>
    littleEndian ? buffer.writeUInt32LE(value, at) : buffer.writeUInt32BE(value, at);
  const header = Buffer.alloc(32);
  header.writeUInt32BE(0xcafec0c0, 0);
  header[4] = littleEndian ? 1 : 0;
  header[5] = 2;
  header[7] = accessible;
  u32(header, 32, 24);
  u32(header, count, 28);
  const parts = entries.map(({ name, text, number }) => {
    const nameBytes = Buffer.from(`${name}\0`);
    const data = text === undefined ? Buffer.alloc(8) : Buffer.from(`${text}\0`);
    if (number !== undefined) data.writeBigInt64LE(number);
    const entry = Buffer.alloc(20 + nameBytes.length + data.length);
    u32(entry, entry.length, 0);
    u32(entry, 20, 4);
    u32(entry, text === undefined ? 0 : data.length, 8);
    entry[12] = (text === undefined ? 'J' : 'B').charCodeAt(0);
    u32(entry, 20 + nameBytes.length, 16);
    nameBytes.copy(entry, 20);
    data.copy(entry, 20 + nameBytes.length);
    return entry;
  });
  return Buffer.concat([header, ...parts]);
}

const ENTRIES = [
  { name: 'sun.rt.javaCommand', text: 'com.example.Main --port 1' },
  { name: 'java.threads.live', number: 12n },
  { name: 'java.property.java.version', text: '17.0.2' },
  { name: 'empty', text: '' },
];

describe('the parser of performance data', () => {
  it.each([true, false])('reads the texts, little endian: %s', (littleEndian) => {
    expect([...(parsePerfData(perfFile(ENTRIES, { littleEndian })) ?? [])]).toEqual([
      ['sun.rt.javaCommand', 'com.example.Main --port 1'],
      ['java.property.java.version', '17.0.2'],
      ['empty', ''],
    ]);
  });

  it('waits for a file that is finished, and knows its own', () => {
    expect(parsePerfData(perfFile(ENTRIES, { accessible: 0 }))).toBeNull();
    expect(parsePerfData(Buffer.alloc(0))).toBeNull();
    expect(parsePerfData(Buffer.alloc(64))).toBeNull();
  });

  it('goes no further than the file, whatever it says', () => {
    expect(parsePerfData(perfFile(ENTRIES, { count: 0xffffffff }))?.size).toBe(3);
    const endless = perfFile(ENTRIES, { count: 0xffffffff });
    endless.writeUInt32LE(0, 32);
    expect(parsePerfData(endless)?.size).toBe(0);
  });

  it('takes any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => void parsePerfData(Buffer.from(bytes))));
  });

  it('takes a file in which anything was changed', () => {
    const file = perfFile(ENTRIES);
    const change = fc.tuple(fc.nat(file.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), fc.nat(file.length), (changes, length) => {
        const changed = Buffer.from(file);
        for (const [at, byte] of changes) changed[at] = byte;
        const texts = parsePerfData(changed.subarray(0, length));
        for (const [name, value] of texts ?? []) expect(name.length + value.length).toBeLessThanOrEqual(file.length);
      }),
    );
  });

  it.each([
    ['17.0.2', 17],
    ['1.8.0_292', 8],
    ['9.0.7.1', 9],
    ['25-ea', 25],
    ['25', 25],
    ['', null],
    ['x', null],
  ])('takes the major version of %j', (text, version) => {
    expect(majorVersion(text)).toBe(version);
  });
});
