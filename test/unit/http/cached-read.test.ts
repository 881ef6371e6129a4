/** The cost of reading a state that is ready, in counts that are the same on every machine. */
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PID, reading } from './fake-service.ts';
import { startServer } from './harness.ts';

const TARGET = `/substrate/v1/state/${PID}`;
const READS = 20;

describe('a read of a state that is ready', () => {
  let writes = 0;

  beforeEach(() => {
    writes = 0;
    for (const name of ['_write', '_writev'] as const) {
      const original = net.Socket.prototype[name] as (...args: unknown[]) => void;
      vi.spyOn(net.Socket.prototype, name).mockImplementation(function (this: net.Socket, ...args: unknown[]) {
        // Sockets of a server know it; the client's are in this process, too.
        if ('server' in this && this.server) writes++;
        original.apply(this, args);
      });
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is one write, and asks for nothing that has to be waited for', async () => {
    const readState = vi.fn(async () => reading());
    const server = await startServer({ service: { readFromMemory: () => reading(), readState } });
    for (let read = 0; read < READS; read++) expect((await server.get(TARGET)).status).toBe(200);
    expect(writes).toBe(READS);
    expect(readState).not.toHaveBeenCalled();
  });

  it('is one write where the client has it', async () => {
    const server = await startServer({ service: { readFromMemory: () => ({ ...reading(), bytes: null }) } });
    for (let read = 0; read < READS; read++)
      expect((await server.get(TARGET, { 'If-None-Match': '"x"' })).status).toBe(304);
    expect(writes).toBe(READS);
  });

  it('is made where something else than the whole of it is asked for', async () => {
    const readState = vi.fn(async () => reading());
    const readFromMemory = vi.fn(() => reading());
    const server = await startServer({ service: { readFromMemory, readState } });
    for (const query of ['?fresh=true', '?all=true', '?keys=inbox.**'])
      expect((await server.get(TARGET + query)).status).toBe(200);
    expect([readState.mock.calls.length, readFromMemory.mock.calls.length]).toEqual([3, 0]);
  });

  it('needs the same key and the same right to the app', async () => {
    const readFromMemory = vi.fn(() => reading());
    const server = await startServer({ service: { readFromMemory } });
    const { key } = await server.keys.create('other app', { apps: ['another-app'] });
    expect((await server.get(TARGET, { 'X-Substrate-Key': key })).status).toBe(403);
    expect((await server.get(TARGET, { 'X-Substrate-Key': 'nobody' })).status).toBe(401);
    expect(readFromMemory).not.toHaveBeenCalled();
  });
});
