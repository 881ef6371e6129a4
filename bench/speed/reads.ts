/** Cached reads over open connections, compared with a server that only sends the same bytes. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ownCpu, type Program, startProgram, waitFor } from '../shared/proc.ts';
import { Home, SpeedDaemon } from './daemon.ts';
import { Figures } from './figures.ts';
import { readAll } from './reader.ts';
import type { Side } from './sides.ts';

const CONNECTIONS = 4;
const REQUESTS = 4000;
const BARE = 'a bare server';
/** No polls meanwhile. */
const QUIET = { SUBSTRATE_PROBE__INTERVAL_MS: '600000' };
const LARGE = '100000';

interface Server {
  readonly name: string;
  readonly base: string;
  readonly pid: number;
  readonly key: string;
  stop(): Promise<void>;
}

export async function measureReads(sides: readonly Side[], rounds: number): Promise<void> {
  await measureSize('1000', sides, rounds, (tag) => [
    { row: 'cached read, 1,003 keys', query: '', headers: {} },
    { row: '304', query: '', headers: { 'if-none-match': tag } },
  ]);
  const some = Array.from({ length: 20 }, (_, at) => `rows[${at * 7}].price`).join();
  await measureSize(LARGE, sides, rounds, () => [
    { row: '20 of 100,000 keys', query: `?keys=${encodeURIComponent(some)}`, headers: {} },
  ]);
}

interface Read {
  readonly row: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function measureSize(
  size: string,
  sides: readonly Side[],
  rounds: number,
  readsOf: (tag: string) => readonly Read[],
): Promise<void> {
  const target = startProgram(process.execPath, ['bench/rows-target.cjs', size]);
  await waitFor('the Node program', 10, () => target.stdout() !== '');
  const route = `/substrate/v1/state/${target.pid}`;
  const figures = new Figures(`microseconds of each read, ${CONNECTIONS} connections`, [
    ...sides.map(({ name }) => name),
    BARE,
  ]);
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) {
      const server = await startSide(side, target.pid);
      const headers = { 'x-substrate-key': server.key };
      const first = await fetch(`${server.base}${route}`, { headers });
      for (const read of readsOf(first.headers.get('etag') ?? '')) {
        const url = `${route}${read.query}`;
        const answer = await fetch(`${server.base}${url}`, { headers: { ...headers, ...read.headers } });
        const bare = await startBare(Buffer.from(await answer.arrayBuffer()));
        // A first time for the compiler.
        for (const isCounted of [false, true]) {
          for (const one of [server, bare]) {
            const load = { base: one.base, route: url, headers: { ...headers, ...read.headers } };
            const cpuBefore = ownCpu(one.pid);
            const wallMs = await readAll({ ...load, connections: CONNECTIONS, requests: REQUESTS });
            if (!isCounted) continue;
            const each = (total: number) => (total * 1000) / REQUESTS;
            const column = one === bare ? BARE : side.name;
            figures.add(read.row, column, each(wallMs));
            figures.add(`${read.row}: CPU of the server`, column, each((ownCpu(one.pid) - cpuBefore) * 1000));
          }
        }
        await bare.stop();
      }
      await server.stop();
    }
  }
  await target.end();
  figures.print();
}

async function startSide(side: Side, pid: number): Promise<Server> {
  const home = new Home(side);
  const daemon = await SpeedDaemon.start(side, home, QUIET);
  await daemon.untilServed(pid);
  const stop = async () => {
    await daemon.stop();
    home.remove();
  };
  return { name: side.name, base: daemon.base, pid: daemon.pid, key: daemon.key, stop };
}

async function startBare(body: Buffer): Promise<Server> {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-bare-')), 'body');
  fs.writeFileSync(file, body);
  const program: Program = startProgram(process.execPath, ['bench/speed/bare.cjs', file]);
  const base = await waitFor('the bare server', 10, () => /^(http\S+)\n/.exec(program.stdout())?.[1]);
  const stop = async () => {
    await program.end();
    fs.rmSync(path.dirname(file), { recursive: true });
  };
  return { name: BARE, base, pid: program.pid, key: '', stop };
}
