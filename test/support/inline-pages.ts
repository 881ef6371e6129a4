/** Serves documents written in a test. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface InlineDocument {
  readonly type?: string;
  readonly body: string;
  /** The delay of the answer, or of its second half if `halves` is set. */
  readonly delayMs?: number;
  readonly halves?: boolean;
}

export interface InlinePages {
  readonly origin: string;
  close(): Promise<void>;
}

/** By path: `{ '/flows': { type: 'application/json', body: '[]' } }`; a mere text is a page. */
export async function serveInline(documents: Readonly<Record<string, InlineDocument | string>>): Promise<InlinePages> {
  const server = http.createServer((request, response) => {
    const found = documents[(request.url ?? '/').replace(/\?.*/, '')];
    if (found === undefined) {
      response.writeHead(404).end();
      return;
    }
    const {
      type = 'text/html',
      body,
      delayMs = 0,
      halves = false,
    } = typeof found === 'string' ? { body: found } : found;
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' });
    const middle = halves ? Math.floor(body.length / 2) : 0;
    if (halves) response.write(body.slice(0, middle));
    setTimeout(() => response.end(body.slice(middle)), delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
