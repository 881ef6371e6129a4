import net from 'node:net';
import type { ProcessNetwork } from '../model/process.ts';

/** The network of this very process. */
export const OWN_NETWORK: ProcessNetwork = {
  id: null,
  whyClosed: () => Promise.resolve(null),
  connect: (host, port) => Promise.resolve(net.connect({ host, port, noDelay: true })),
};
