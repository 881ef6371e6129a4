import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elfHasDynamicName, type ReadAt } from '../../../src/host/linux/elf-symbols.ts';

const HEADER_BYTES = 64;

/** An executable of three sections: none, dynamic symbols, their strings. */
function elf(strings: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(header);
  header.writeBigUInt64LE(64n, 40);
  header.writeUInt16LE(64, 58);
  header.writeUInt16LE(3, 60);
  const sections = Buffer.alloc(3 * 64);
  sections.writeUInt32LE(11, 64 + 4);
  sections.writeUInt32LE(2, 64 + 40);
  sections.writeUInt32LE(3, 128 + 4);
  sections.writeBigUInt64LE(BigInt(HEADER_BYTES + sections.length), 128 + 24);
  sections.writeBigUInt64LE(BigInt(strings.length), 128 + 32);
  return Buffer.concat([header, sections, strings]);
}

function reader(file: Buffer): ReadAt {
  return (target, position) => file.copy(target, 0, Math.min(position, file.length));
}

describe('the dynamic names of an executable', () => {
  const small = elf(Buffer.from('\0first\0my_symbol_v2\0my_symbol\0last\0'));

  it.each(['first', 'my_symbol', 'my_symbol_v2', 'last'])('include %s', (name) => {
    expect(elfHasDynamicName(reader(small), name)).toBe(true);
  });

  it.each(['', 'my_symb', 'symbol', 'first\0my_symbol_v2', 'a'.repeat(5000)])('do not include %j', (name) => {
    expect(elfHasDynamicName(reader(small), name)).toBe(false);
  });

  it('are found at any place of a table that takes several reads', () => {
    const CHUNK = 256 * 1024;
    for (let shift = -10; shift <= 10; shift++) {
      const strings = Buffer.alloc(2 * CHUNK + 100, 'x');
      strings.write('\0needle\0', CHUNK + shift);
      expect(elfHasDynamicName(reader(elf(strings)), 'needle')).toBe(true);
    }
    expect(elfHasDynamicName(reader(elf(Buffer.alloc(2 * CHUNK, 'x'))), 'needle')).toBe(false);
  });

  it('are none in a file of another kind', () => {
    const bigEndian = Buffer.from(small);
    bigEndian[5] = 2;
    const narrow = Buffer.from(small);
    narrow[4] = 1;
    for (const file of [bigEndian, narrow, Buffer.from('#!/bin/sh\n'), Buffer.alloc(0)]) {
      expect(elfHasDynamicName(reader(file), 'first')).toBe(false);
    }
  });

  it('are none in a file cut off anywhere before them', () => {
    for (let length = 0; length < small.length; length++) {
      expect(elfHasDynamicName(reader(small.subarray(0, length)), 'last')).toBe(false);
    }
  });

  it('survive forged headers with bounded reads', () => {
    const damage = fc.array(fc.tuple(fc.nat({ max: 255 }), fc.nat({ max: 255 })), { maxLength: 20 });
    fc.assert(
      fc.property(damage, (changes) => {
        const forged = Buffer.from(small);
        for (const [at, value] of changes) forged[at] = value;
        let total = 0;
        const counted: ReadAt = (target, position) => {
          expect(Number.isSafeInteger(position)).toBe(true);
          total += target.length;
          return reader(forged)(target, position);
        };
        elfHasDynamicName(counted, 'first');
        expect(total).toBeLessThan(1024 * 1024);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (noise) => {
        expect(elfHasDynamicName(reader(Buffer.from(noise)), 'x')).toBe(false);
      }),
    );
  });

  it.runIf(process.platform === 'linux')('are read from a real executable', () => {
    expect(elfHasDynamicName(reader(readFileSync('/bin/sleep')), '__libc_start_main')).toBe(true);
  });
});
