/**
 * The words of HotSpot's attach protocol:
 *
 *   request, version 1:  `1` NUL command NUL argument NUL argument NUL argument NUL     (always three)
 *   request, version 2:  `2` NUL length of what follows NUL command NUL (argument NUL)… (Java 24 and later)
 *   answer:              status as digits, newline, text, end of the stream
 */
import type net from 'node:net';
import { Deadline } from '../../support/agent-files/deadline.ts';

const ANSWER_MS = 10_000;
const CHECK_MS = 100;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
export const V1_ARGUMENTS = 3;

export interface AttachAnswer {
  readonly status: number;
  readonly text: string;
}

export function requestV1(name: string, args: readonly string[]): Buffer {
  const three = Array.from({ length: V1_ARGUMENTS }, (_, at) => args[at] ?? '');
  return Buffer.from(['1', name, ...three].map((part) => `${part}\0`).join(''));
}

export function requestV2(name: string, args: readonly string[]): Buffer {
  const body = Buffer.from([name, ...args].map((part) => `${part}\0`).join(''));
  return Buffer.concat([Buffer.from(`2\0${body.length}\0`), body]);
}

export function parseAnswer(answer: Buffer): AttachAnswer {
  const text = answer.toString('utf8');
  const [, status, rest = ''] = /^(-?\d{1,9})(?:\n([\s\S]*))?$/.exec(text) ?? [];
  if (status === undefined) throw new Error('the answer is not one of a JVM');
  return { status: Number(status), text: rest };
}

export function exchange(connect: () => net.Socket, request: Buffer, abort: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect();
    const chunks: Buffer[] = [];
    let length = 0;
    const deadline = new Deadline(ANSWER_MS, abort);
    const timer = setInterval(() => {
      if (deadline.isOver) socket.destroy(new Error(`no answer within ${ANSWER_MS / 1000} s`));
    }, CHECK_MS);
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_ANSWER_BYTES) socket.destroy(new Error('the answer is too long'));
    });
    socket.once('end', () => {
      socket.end();
      resolve(Buffer.concat(chunks));
    });
    socket.once('close', () => {
      clearInterval(timer);
      reject(new Error('the JVM closed the connection'));
    });
    socket.write(request);
  });
}
