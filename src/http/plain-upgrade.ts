/**
 * Serves requests with an upgrade that this server does not support. Java's HTTP client and `curl --http2` offer h2c
 * with every plain request, and must be served as if they had not. Node stops parsing at the offer, so the request is
 * put back in front of the socket without the offer, and the socket is returned to the server.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

export function serveWithoutUpgrade(server: Server, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`];
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const name = req.rawHeaders[index] ?? '';
    const value = req.rawHeaders[index + 1] ?? '';
    const isOffer = /^(?:upgrade|connection|http2-settings)$/i.test(name);
    if (!isOffer) lines.push(`${name}: ${value}`);
  }
  if (/\bclose\b/i.test(req.headers.connection ?? '')) lines.push('Connection: close');
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
