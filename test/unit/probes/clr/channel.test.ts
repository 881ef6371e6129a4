import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClrChannel } from '../../../../src/probes/drivers/clr/channel/channel.ts';
import { ANSWER_AREA, ChannelFile, newChannelFile } from '../../../../src/probes/drivers/clr/channel/channel-file.ts';
import { crc32, slowCrc32 } from '../../../../src/probes/drivers/clr/channel/crc32.ts';
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
function put(content: Buffer, bytes: Buffer, { number = 1, offset = ANSWER_AREA, flags = 0 } = {}): Buffer {
  bytes.copy(content, offset);
  [offset, bytes.length, crc32(bytes), flags].forEach((value, index) => {
    content.writeUInt32LE(value, ANSWERS + 8 + 4 * index);
  });
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
    newer.writeUInt32LE(2, 8);
    fs.writeFileSync(at('newer'), newer);
    expect(open('newer')).toBe(false);
    expect(spawnSync('mkfifo', [at('fifo')]).status).toBe(0);
    expect(open('fifo')).toBe(false);
    fs.linkSync(at('good'), at('second name'));
    expect(open('good')).toBe(false);
  });

  it('gives a part once', () => {
    const file = open(put(newChannelFile(0), Buffer.from('hello'), { flags: 1 }));
    expect(file.take()).toEqual({ bytes: Buffer.from('hello'), isLast: false });
    expect(file.take()).toBeNull();
    expect(fs.readFileSync(at('chan')).readUInt32LE(ANSWERS + 4)).toBe(1);
    file.close();
  });

  it('gives nothing but whole parts of itself, whatever is in it', () => {
    const word = fc.oneof(
      fc.constantFrom(0, 1, 2, 5, ANSWER_AREA, ANSWER_AREA + 4, 131_072, 0x7fff_ffff, 0xffff_ffff, 134_217_729),
      fc.integer({ min: 0, max: 0xffff_ffff }),
    );
    const edit = fc.record({ field: fc.constantFrom(0, 4, 8, 12, 16, 20), value: word });
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
            const offset = now.readUInt32LE(ANSWERS + 8);
            expect(offset).toBeGreaterThanOrEqual(ANSWER_AREA);
            expect(part.bytes).toEqual(now.subarray(offset, offset + now.readUInt32LE(ANSWERS + 12)));
            expect(crc32(part.bytes)).toBe(now.readUInt32LE(ANSWERS + 16));
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
    file.send(Buffer.from('one'), true);
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
  const channel = new ClrChannel(file, input, requests);
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
  const answer = (text: string, options = {}) => {
    const content = put(fs.readFileSync(at('chan')), Buffer.from(text), options);
    write(ANSWER_AREA, content.subarray(ANSWER_AREA));
    write(ANSWERS + 8, content.subarray(ANSWERS + 8, ANSWERS + 24));
    write(ANSWERS, content.subarray(ANSWERS, ANSWERS + 4));
    ring();
  };
  return { channel, serve, answer, write, ring, hangUp: () => fs.closeSync(answers) };
}

describe('a channel', () => {
  const soon = () => AbortSignal.timeout(25_000);
  const ask = (channel: ClrChannel) => channel.call({ op: 'capture', full: true, deep: false }, soon());

  it('waits until it is served, and then takes answers in parts and in any order', async () => {
    const { channel, serve, answer, hangUp } = connected();
    const first = ask(channel);
    const second = ask(channel);
    expect(await channel.isServed(20)).toBe(false);
    serve();
    expect(await channel.isServed(25_000)).toBe(true);
    answer('{"id":2,"res', { flags: 1 });
    await until('the part to be taken', () => fs.readFileSync(at('chan')).readUInt32LE(ANSWERS + 4) === 1);
    answer('ult":"second"}', { number: 2 });
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
    ['a place in its header', '{"id":1,"result":1}', { offset: 0 }],
    ['flags that it does not know', '{"id":1,"result":1}', { flags: 6 }],
  ])('leaves an agent that sends %s', async (_, text, options) => {
    const { channel, serve, answer, hangUp } = connected();
    serve();
    expect(await channel.isServed(25_000)).toBe(true);
    const call = ask(channel);
    answer(text, options);
    await expect(call).rejects.toThrow('lost');
    await channel.closed;
    hangUp();
  });

  it('leaves an agent that answers what nobody has asked', async () => {
    const { channel, serve, answer, hangUp } = connected();
    serve();
    expect(await channel.isServed(25_000)).toBe(true);
    const call = ask(channel);
    answer('{"id":1,"result":1}');
    expect(await call).toBe(1);
    answer('{"id":2,"result":1}', { number: 2 });
    await channel.closed;
    hangUp();
  });

  it('leaves an agent whose message does not end, however small its parts are', async () => {
    const { channel, serve, answer, hangUp } = connected();
    serve();
    expect(await channel.isServed(25_000)).toBe(true);
    const call = ask(channel);
    call.catch(() => {});
    for (let number = 1; channel.isOpen && number < 10_000; number++) {
      answer(' ', { number, flags: 1 });
      while (channel.isOpen && fs.readFileSync(at('chan')).readUInt32LE(ANSWERS + 4) !== number) await nextTurn();
    }
    await expect(call).rejects.toThrow('lost');
    hangUp();
  });

  it('leaves when another daemon has called the agent', async () => {
    const { channel, serve, write, ring, hangUp } = connected();
    serve();
    expect(await channel.isServed(25_000)).toBe(true);
    write(CALLED, Buffer.from([99, 0, 0, 0]));
    ring();
    await channel.closed;
    hangUp();
  });
});
