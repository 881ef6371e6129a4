/**
 * Reads one address over connections that stay open, each as fast as answers come. Only the ends of answers are
 * detected.
 */
import net from 'node:net';

export interface Load {
  readonly base: string;
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly requests: number;
}

const HEAD_END = '\r\n\r\n';

/** Returns the duration in milliseconds. */
export async function readAll(load: Load): Promise<number> {
  const each = Math.ceil(load.requests / load.connections);
  const began = performance.now();
  await Promise.all(Array.from({ length: load.connections }, () => readOver(load, each)));
  return performance.now() - began;
}

function readOver({ base, route, headers }: Load, count: number): Promise<void> {
  const { hostname, port, host } = new URL(base);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${route} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(request));
    let left = count;
    /** The missing bytes of this answer; null if its head is not complete yet. */
    let missing: number | null = null;
    let head = '';
    socket.on('data', (chunk: Buffer) => {
      let at = 0;
      while (at < chunk.length) {
        if (missing === null) {
          head += chunk.toString('latin1', at);
          const end = head.indexOf(HEAD_END);
          if (end === -1) return;
          const status = /^HTTP\/1\.1 (200|304)/.exec(head)?.[1];
          if (status === undefined) return socket.destroy(new Error(head.slice(0, 300)));
          const before = head.length - (chunk.length - at);
          at += end + HEAD_END.length - before;
          missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
          head = '';
        }
        const taken = Math.min(missing, chunk.length - at);
        missing -= taken;
        at += taken;
        if (missing > 0) return;
        missing = null;
        if (--left === 0) {
          socket.end();
          return resolve();
        }
        socket.write(request);
      }
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed the connection')));
  });
}
