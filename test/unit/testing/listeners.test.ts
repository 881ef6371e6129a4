import net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { inodesIn, listenersAt } from '../../../src/testing/listeners.ts';

it('finds the process that listens on a port', async () => {
  const server = net.createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect(await listenersAt(port)).toEqual([process.pid]);
  await new Promise((resolve) => server.close(resolve));
  expect(await listenersAt(port)).toEqual([]);
});

it('takes no connection for a listener', () => {
  const rest = '00000000:00000000 00:00000000 00000000 1000 0';
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    `   0: 0100007F:1EA2 00000000:0000 0A ${rest} 41 1 0 100 0 0 10 0`,
    `   1: 0100007F:1EA2 0100007F:C001 01 ${rest} 42 1 0 100 0 0 10 0`,
    `   2: 0100007F:C001 0100007F:1EA2 01 ${rest} 43 1 0 100 0 0 10 0`,
    `   3: 0100007F:1EA3 00000000:0000 0A ${rest} 44 1 0 100 0 0 10 0`,
  ].join('\n');
  expect(inodesIn(table, 7842)).toEqual(['41']);
});
