import net from 'node:net';
import type { HeldName, ProcessNetwork } from '../model/process.ts';

const NAME_BYTES = 108;

/** The network of this process. */
export const OWN_NETWORK: ProcessNetwork = {
  id: null,
  whyClosed: () => Promise.resolve(null),
  hold,
  connect: (host, port) => Promise.resolve(net.connect({ host, port, noDelay: true })),
};

/**
 * Listens on an abstract unix socket, whose name is unique in this network and freed when the process ends. The name is
 * padded with zeros, because not all versions of Node do that.
 */
function hold(name: string): Promise<HeldName | 'taken' | null> {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => socket.destroy());
    server.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE' ? 'taken' : null));
    server.listen(`\0${name}`.padEnd(NAME_BYTES, '\0'), () => {
      server.unref();
      resolve({ release: () => void server.close() });
    });
  });
}
