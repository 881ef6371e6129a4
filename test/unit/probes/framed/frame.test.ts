import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, FrameDecoder, MAX_FRAME_BYTES } from '../../../../src/probes/support/framed/frame.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('frames', () => {
  it.each([
    ['', '00000000'],
    ['{}', '02000000 7b7d'],
    ['é', '02000000 c3a9'],
    ['"😀"', '06000000 22f09f988022'],
    ['x'.repeat(256), `00010000 ${'78'.repeat(256)}`],
  ])('%j', (text, bytes) => {
    expect(encodeFrame(text)).toEqual(hex(bytes));
    expect(new FrameDecoder().push(hex(bytes))).toEqual([text]);
  });

  it('reads a frame that is split at any place', () => {
    const bytes = Buffer.concat([encodeFrame('{"a":"é😀"}'), encodeFrame(''), encodeFrame('{}')]);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const decoder = new FrameDecoder();
      expect([...decoder.push(bytes.subarray(0, cut)), ...decoder.push(bytes.subarray(cut))]).toEqual([
        '{"a":"é😀"}',
        '',
        '{}',
      ]);
    }
    const decoder = new FrameDecoder();
    expect([...bytes].flatMap((byte) => decoder.push(Buffer.from([byte])))).toEqual(['{"a":"é😀"}', '', '{}']);
  });

  it('reads several frames from one chunk and keeps what is left', () => {
    const decoder = new FrameDecoder();
    expect(decoder.push(hex('01000000 61 01000000 62 0100'))).toEqual(['a', 'b']);
    expect(decoder.push(hex('0000 63'))).toEqual(['c']);
    expect(decoder.push(Buffer.alloc(0))).toEqual([]);
  });

  it('joins small chunks, which take far more memory than their bytes', () => {
    const decoder = new FrameDecoder();
    const frame = encodeFrame('x'.repeat(20_000));
    for (let at = 0; at < frame.length - 1; at++) expect(decoder.push(frame.subarray(at, at + 1))).toEqual([]);
    expect(Reflect.get(decoder, 'chunks').length).toBeLessThan(5000);
    expect(decoder.push(frame.subarray(-1))).toEqual(['x'.repeat(20_000)]);
  });

  it('refuses a frame that is too long before its text arrives', () => {
    const header = Buffer.alloc(4);
    header.writeUInt32LE(MAX_FRAME_BYTES + 1);
    expect(() => new FrameDecoder().push(header)).toThrow('too long');
    expect(() => new FrameDecoder().push(hex('ffffffff'))).toThrow('too long');
    header.writeUInt32LE(MAX_FRAME_BYTES);
    expect(new FrameDecoder().push(header)).toEqual([]);
    const decoder = new FrameDecoder();
    expect(() => decoder.push(hex('01000000 61 ffffff7f'))).toThrow('too long');
  });

  it('refuses a frame that is made of lists and objects only', () => {
    const bomb = encodeFrame(`[${'{},'.repeat(9_000_000)}{}]`);
    expect(() => new FrameDecoder().push(bomb)).toThrow('too many lists');
    const paths = encodeFrame(
      JSON.stringify({ paths: Array.from({ length: 300_000 }, (_, at) => `items[${at}].tags[0]`) }),
    );
    expect(new FrameDecoder().push(paths)).toHaveLength(1);
  });

  it('reads any texts in any chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(20)), (texts, cuts) => {
        const bytes = Buffer.concat(texts.map(encodeFrame));
        const decoder = new FrameDecoder();
        const found: string[] = [];
        let at = 0;
        for (const cut of [...cuts, bytes.length]) {
          found.push(...decoder.push(bytes.subarray(at, at + cut)));
          at = Math.min(bytes.length, at + cut);
        }
        expect(found).toEqual(texts);
      }),
    );
  });

  it('takes any bytes without harm', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
        const decoder = new FrameDecoder();
        try {
          for (const chunk of chunks) decoder.push(Buffer.from(chunk));
        } catch (error) {
          expect(String(error)).toContain('too long');
        }
      }),
    );
  });
});
