/** Bytes that no client would send, over real connections. `FC_RUNS=20000` for longer. */
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inputsFor } from '../../fuzz/fuzz.ts';
import { PID } from './fake-service.ts';
import { startServer } from './harness.ts';

const RUNS = 150;

describe('a server that is sent anything at all', () => {
  it('answers or hangs up, and goes on serving others', async () => {
    const { key, port, get, log } = await startServer();
    const common = `Host: 127.0.0.1:${port}\r\nX-Substrate-Key: ${key}\r\n`;
    const post = (body: string) => `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const frame = Buffer.concat([Buffer.from([0x81, 0x85, 1, 2, 3, 4]), Buffer.from('hello')]);
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
    const samples = [
      `GET /substrate/v1/state/${PID}?keys=a.*&fresh=true HTTP/1.1\r\n${common}If-None-Match: "x"\r\n\r\n`,
      `POST /substrate/v1/action HTTP/1.1\r\n${common}Idempotency-Key: x\r\n${post('{"pid":4242,"action":"archive","parameters":{"id":"1"}}')}`,
      `POST /mcp HTTP/1.1\r\n${common}${post('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')}`,
      `POST /substrate/v1/verify HTTP/1.1\r\n${common}Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n5\r\n{"pid\r\n0\r\n\r\n`,
      Buffer.concat([Buffer.from(`GET /substrate/v1/watch/${PID} HTTP/1.1\r\n${common}${upgrade}`), frame]),
    ];
    const send = (bytes: Buffer) =>
      new Promise<void>((resolve) => {
        const socket = connect({ port, host: '127.0.0.1' }, () => socket.end(bytes));
        socket.on('error', () => {});
        // Half closed: whatever the server does, it has no reason to keep the connection.
        socket.on('data', () => socket.destroy());
        socket.on('close', () => resolve());
      });
    await fc.assert(
      fc.asyncProperty(inputsFor({ samples }), async (bytes) => send(bytes)),
      { numRuns: Number(process.env.FC_RUNS ?? RUNS) },
    );
    expect((await get('/health')).status).toBe(200);
    expect((await get(`/substrate/v1/state/${PID}`)).status).toBe(200);
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
