import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClrChannel } from '../../../../src/probes/drivers/clr/channel/channel.ts';
import { ANSWER_AREA, ChannelFile, newChannelFile } from '../../../../src/probes/drivers/clr/channel/channel-file.ts';
import { crc32, slowCrc32 } from '../../../../src/probes/drivers/clr/channel/crc32.ts';
import { MappedStream } from '../../../../src/probes/drivers/clr/channel/mapped-stream.ts';
import type { ClrRequest } from '../../../../src/probes/drivers/clr/protocol.ts';
import { encodeFrame } from '../../../../src/probes/support/framed/frame.ts';
import { FramedChannel } from '../../../../src/probes/support/framed/framed-channel.ts';
import { until } from '../../../support/real-processes.ts';

const { O_NONBLOCK, O_RDONLY, O_RDWR } = fs.constants;
const UID = process.getuid?.() ?? 0;
const CALLED = 16;
const SERVED = 20;
const REQUESTS = 64;
const ANSWERS = 128;

let folder = '';
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'clr-channel-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

const at = (name: string) => path.join(folder, name);

function open(content: Buffer): ChannelFile {
  fs.writeFileSync(at('chan'), content);
  const file = ChannelFile.open(at('chan'), UID);
  if (!file) throw new Error('it was not taken');
  return file;
}

/** An answer as the agent would write it. */
function put(content: Buffer, bytes: Buffer, { number = 1, length = bytes.length, sum = crc32(bytes) } = {}): Buffer {
  bytes.copy(content, ANSWER_AREA);
  content.writeUInt32LE(length, ANSWERS + 8);
  content.writeUInt32LE(sum, ANSWERS + 12);
  content.writeUInt32LE(number, ANSWERS);
  return content;
}

describe('the file of a channel', () => {
  it('is taken only if it can be ours', () => {
    fs.writeFileSync(at('good'), newChannelFile(0));
    const open = (name: string, uid = UID) => {
      const file = ChannelFile.open(at(name), uid);
      file?.close();
      return file !== null;
    };
    expect(open('good')).toBe(true);
    expect(open('good', UID + 1)).toBe(false);
    expect(open('none')).toBe(false);
    fs.symlinkSync(at('good'), at('link'));
    expect(open('link')).toBe(false);
    fs.writeFileSync(at('short'), newChannelFile(0).subarray(0, 4096));
    expect(open('short')).toBe(false);
    fs.writeFileSync(at('other'), Buffer.alloc(200_000));
    expect(open('other')).toBe(false);
    const newer = newChannelFile(0);
    newer.writeUInt32LE(3, 8);
    fs.writeFileSync(at('newer'), newer);
    expect(open('newer')).toBe(false);
    expect(spawnSync('mkfifo', [at('fifo')]).status).toBe(0);
    expect(open('fifo')).toBe(false);
    fs.linkSync(at('good'), at('second name'));
    expect(open('good')).toBe(false);
  });

  it('gives a part once', () => {
    const file = open(put(newChannelFile(0), Buffer.from('hello')));
    expect(file.take()).toEqual(Buffer.from('hello'));
    expect(file.take()).toBeNull();
    expect(fs.readFileSync(at('chan')).readUInt32LE(ANSWERS + 4)).toBe(1);
    file.close();
  });

  it('gives nothing but whole parts of itself, whatever is in it', () => {
    const word = fc.oneof(
      fc.constantFrom(0, 1, 2, 5, ANSWER_AREA, ANSWER_AREA + 4, 131_072, 0x7fff_ffff, 0xffff_ffff, 134_217_729),
      fc.integer({ min: 0, max: 0xffff_ffff }),
    );
    const edit = fc.record({ field: fc.constantFrom(0, 4, 8, 12), value: word });
    const wild = fc.record({
      bytes: fc.uint8Array({ maxLength: 2000 }),
      edits: fc.array(edit, { maxLength: 4 }),
      size: fc.option(fc.integer({ min: ANSWER_AREA, max: 140_000 })),
    });
    fc.assert(
      fc.property(wild, ({ bytes, edits, size }) => {
        const content = put(newChannelFile(0), Buffer.from(bytes));
        for (const { field, value } of edits) content.writeUInt32LE(value, ANSWERS + field);
        const file = open(content);
        if (size !== null) fs.truncateSync(at('chan'), size);
        const now = fs.readFileSync(at('chan'));
        try {
          const part = file.take();
          if (part === null) expect(now.readUInt32LE(ANSWERS)).toBe(0);
          else {
            const end = ANSWER_AREA + now.readUInt32LE(ANSWERS + 8);
            expect(end).toBeLessThanOrEqual(now.length);
            expect(part).toEqual(now.subarray(ANSWER_AREA, end));
            expect(crc32(part)).toBe(now.readUInt32LE(ANSWERS + 12));
          }
        } catch (error) {
          expect(String(error)).toContain('not as the agent leaves it');
        } finally {
          file.close();
        }
      }),
    );
  });

  it('shows what was not taken, and what was never sent', () => {
    const file = open(newChannelFile(0));
    const taken = (number: number) => {
      const word = Buffer.alloc(4);
      word.writeUInt32LE(number);
      const descriptor = fs.openSync(at('chan'), 'r+');
      fs.writeSync(descriptor, word, 0, 4, REQUESTS + 4);
      fs.closeSync(descriptor);
    };
    expect(file.canSend).toBe(true);
    file.send(Buffer.from('one'));
    expect(file.canSend).toBe(false);
    taken(1);
    expect(file.canSend).toBe(true);
    taken(2);
    expect(() => file.canSend).toThrow('took what was not there');
    file.close();
  });
});

describe('CRC-32', () => {
  it('is the same with and without zlib', () => {
    expect(slowCrc32(Buffer.from('123456789'))).toBe(0xcbf43926);
    fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => crc32(bytes) === slowCrc32(bytes)));
  });
});

/** A channel, and its agent's view of the file. The FIFOs carry the signals of both. */
function connected() {
  fs.writeFileSync(at('chan'), newChannelFile(0));
  expect(spawnSync('mkfifo', [at('req'), at('res')]).status).toBe(0);
  const requests = fs.openSync(at('req'), O_RDWR | O_NONBLOCK);
  const input = fs.openSync(at('res'), O_RDONLY | O_NONBLOCK);
  const answers = fs.openSync(at('res'), O_RDWR | O_NONBLOCK);
  const file = ChannelFile.open(at('chan'), UID);
  if (!file) throw new Error('it was not taken');
  const stream = new MappedStream(file, input, requests);
  const channel = new FramedChannel<ClrRequest>(stream, stream);
  const write = (offset: number, bytes: Buffer) => {
    const descriptor = fs.openSync(at('chan'), 'r+');
    fs.writeSync(descriptor, bytes, 0, bytes.length, offset);
    fs.closeSync(descriptor);
  };
  const ring = () => fs.writeSync(answers, 'x');
  const serve = () => {
    write(SERVED, fs.readFileSync(at('chan')).subarray(CALLED, CALLED + 4));
    ring();
  };
  const send = (bytes: Buffer, options = {}) => {
    const content = put(fs.readFileSync(at('chan')), bytes, options);
    write(ANSWER_AREA, content.subarray(ANSWER_AREA));
    write(ANSWERS + 8, content.subarray(ANSWERS + 8, ANSWERS + 16));
    write(ANSWERS, content.subarray(ANSWERS, ANSWERS + 4));
    ring();
  };
  const answer = (text: string, options = {}) => send(encodeFrame(text), options);
  return { channel, stream, serve, send, answer, write, ring, hangUp: () => fs.closeSync(answers) };
}

describe('a channel', () => {
  const soon = () => AbortSignal.timeout(25_000);
  const ask = (channel: ClrChannel) => channel.call({ op: 'capture', full: true, deep: false }, soon());

  it('waits until it is served, and then takes answers in parts and in any order', async () => {
    const { channel, stream, serve, send, answer, hangUp } = connected();
    const first = ask(channel);
    const second = ask(channel);
    expect(await stream.isServed(20)).toBe(false);
    serve();
    expect(await stream.isServed(25_000)).toBe(true);
    const frame = encodeFrame('{"id":2,"result":"second"}');
    send(frame.subarray(0, 12));
    await until('the part to be taken', () => fs.readFileSync(at('chan')).readUInt32LE(ANSWERS + 4) === 1);
    send(frame.subarray(12), { number: 2 });
    expect(await second).toBe('second');
    answer('{"id":1,"error":"first"}', { number: 3 });
    await expect(first).rejects.toThrow('first');
    hangUp();
    await channel.closed;
    await expect(ask(channel)).rejects.toThrow('lost');
  });

  it.each([
    ['a text that is no JSON', '{"id":', {}],
    ['a number that is not the next', '{"id":1,"result":1}', { number: 7 }],
    ['a part that is damaged', '{"id":1,"result":1}', { sum: 1 }],
    ['a part without bytes', '{"id":1,"result":1}', { length: 0 }],
    ['a part that is longer than its file', '{"id":1,"result":1}', { length: 1_000_000 }],
  ])('leaves an agent that sends %s', async (_, text, options) => {
    const { channel, stream, serve, answer, hangUp } = connected();
    serve();
    expect(await stream.isServed(25_000)).toBe(true);
    const call = ask(channel);
    answer(text, options);
    await expect(call).rejects.toThrow('lost');
    await channel.closed;
    hangUp();
  });

  it('leaves when another daemon has called the agent', async () => {
    const { channel, stream, serve, write, ring, hangUp } = connected();
    serve();
    expect(await stream.isServed(25_000)).toBe(true);
    write(CALLED, Buffer.from([99, 0, 0, 0]));
    ring();
    await channel.closed;
    hangUp();
  });
});
