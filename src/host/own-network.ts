import net from 'node:net';
import type { HeldName, ProcessNetwork } from '../model/process.ts';

const NAME_BYTES = 108;

/** The network of this very process. */
export const OWN_NETWORK: ProcessNetwork = {
  id: null,
  whyClosed: () => Promise.resolve(null),
  hold,
  connect: (host, port) => Promise.resolve(net.connect({ host, port, noDelay: true })),
};

/**
 * A unix socket without a file: its name is of this network, and ends with the process that has it. Filled up, because
 * not all versions of Node do that.
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
