/** A NATS server for one test, on a free port of loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { tempFolder } from '../unit/store/temp-folder.ts';

export interface Nats {
  readonly port: number;
  readonly address: string;
  /** With SIGKILL, like a loss of power. */
  kill(): Promise<void>;
  /** Restarts it on the same port. */
  start(): Promise<void>;
  /** Its log. */
  output(): string;
}

/** `config`: additional configuration. It ends with the test. */
export async function startNats(config = ''): Promise<Nats> {
  const port = await freePort();
  const file = path.join(tempFolder(), 'nats.conf');
  writeFileSync(file, `host: 127.0.0.1\nport: ${port}\n${config}\n`);
  let server: ChildProcess | null = null;
  let log = '';
  const nats: Nats = {
    port,
    address: `nats://127.0.0.1:${port}`,
    async kill() {
      const ended = server;
      server = null;
      if (ended === null || ended.exitCode !== null) return;
      const exit = new Promise((resolve) => ended.once('exit', resolve));
      ended.kill('SIGKILL');
      await exit;
    },
    async start() {
      const started = spawn('nats-server', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
      server = started;
      await new Promise<void>((resolve, reject) => {
        log = '';
        started.stderr.on('data', (chunk: Buffer) => {
          log += chunk.toString();
          if (log.includes('Server is ready')) resolve();
        });
        started.once('error', reject);
        started.once('exit', (code) => reject(new Error(`nats-server ended with ${code}: ${log}`)));
      });
    },
    output: () => log,
  };
  onTestFinished(() => nats.kill());
  await nats.start();
  return nats;
}

/** One that keeps things. */
export const startJetStream = (config = '') => startNats(`jetstream: { store_dir: "${tempFolder()}" }\n${config}`);

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
