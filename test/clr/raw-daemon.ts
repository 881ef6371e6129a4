/** A daemon that misuses the channel of an agent: partial messages, wrong ones, or none at all. */
import fs from 'node:fs';
import { crc32 } from '../../src/probes/drivers/clr/channel/crc32.ts';
import type { AgentFolder } from '../../src/probes/support/agent-files/agent-folder.ts';
import { encodeFrame } from '../../src/probes/support/framed/frame.ts';
import { until } from '../support/real-processes.ts';

const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = fs.constants;
const CALLED = 16;
const SERVED = 20;
const REQUESTS = 64;
const ANSWERS = 128;
const REQUEST_AREA = 4096;
const ANSWER_AREA = 65_536;

export class RawDaemon {
  private readonly files: number[];
  private readonly channel: number;
  private readonly bell: number;

  static async open(folder: AgentFolder): Promise<RawDaemon> {
    const bell = await until('an agent', () => openOrNull(folder.at('req'), O_WRONLY | O_NONBLOCK));
    const daemon = new RawDaemon(folder, bell);
    daemon.write(CALLED, daemon.word(CALLED) + 1);
    daemon.ring();
    await until('to be served', () => daemon.word(SERVED) === daemon.word(CALLED));
    return daemon;
  }

  private constructor(folder: AgentFolder, bell: number) {
    this.bell = bell;
    this.channel = fs.openSync(folder.at('chan'), O_RDWR);
    this.files = [bell, this.channel, fs.openSync(folder.at('res'), O_RDONLY | O_NONBLOCK)];
  }

  /** One part, unchanged. */
  post(bytes: Buffer, length = bytes.length, sum = crc32(bytes)): void {
    fs.writeSync(this.channel, bytes, 0, bytes.length, REQUEST_AREA);
    this.write(REQUESTS + 8, length);
    this.write(REQUESTS + 12, sum);
    this.write(REQUESTS, (this.word(REQUESTS) + 1) >>> 0);
    this.ring();
  }

  say(message: object): void {
    this.post(encodeFrame(JSON.stringify(message)));
  }

  get isAnswered(): boolean {
    return this.word(ANSWERS) !== this.word(ANSWERS + 4);
  }

  /** The current part begins a message and is not the last of it. */
  get moreFollows(): boolean {
    return this.word(ANSWER_AREA) + 4 > this.word(ANSWERS + 8);
  }

  takeAnswer(): void {
    this.write(ANSWERS + 4, this.word(ANSWERS));
    this.ring();
  }

  /** The agent has read the last part. */
  get canPost(): boolean {
    return this.word(REQUESTS) === this.word(REQUESTS + 4);
  }

  /** The agent has closed its end. */
  get isHungUp(): boolean {
    try {
      const rings = Buffer.alloc(100);
      while (fs.readSync(this.files[2] ?? -1, rings) > 0);
      return true;
    } catch {
      return false;
    }
  }

  /** As if it were killed. */
  die(): void {
    for (const file of this.files.splice(0)) fs.closeSync(file);
  }

  private ring(): void {
    fs.writeSync(this.bell, Buffer.from([1]));
  }

  private word(at: number): number {
    const bytes = Buffer.alloc(4);
    fs.readSync(this.channel, bytes, 0, 4, at);
    return bytes.readUInt32LE(0);
  }

  private write(at: number, value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    fs.writeSync(this.channel, bytes, 0, 4, at);
  }
}

function openOrNull(path: string, flags: number): number | null {
  try {
    return fs.openSync(path, flags);
  } catch {
    return null;
  }
}
