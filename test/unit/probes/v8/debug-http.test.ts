import http from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OWN_NETWORK } from '../../../../src/host/own-network.ts';
import { askJson } from '../../../../src/probes/drivers/v8/cdp/debug-http.ts';

describe('a question to a debugging port', () => {
  let server: http.Server;
  let answer: (response: http.ServerResponse) => void;

  beforeEach(async () => {
    server = http.createServer((_request, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  function ask() {
    const address = server.address();
    return askJson(OWN_NETWORK, `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/json`);
  }

  it('is answered by JSON', async () => {
    answer = (response) => response.end('{"title":"a\u0001b"}');
    expect(await ask()).toEqual({ status: 200, body: { title: 'a b' } });
  });

  it('reads no more than a debugging port could have to say', async () => {
    let closed: Promise<void> | null = null;
    answer = (response) => {
      closed = new Promise((resolve) => response.once('close', () => resolve()));
      const piece = Buffer.alloc(64 * 1024, ' ');
      const more = () => {
        while (response.write(piece));
        response.once('drain', more);
      };
      more();
    };
    expect(await ask()).toEqual({ status: 200, body: null });
    await closed;
  });

  it('does not follow whoever sends it elsewhere', async () => {
    answer = (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    expect(await ask()).toBeNull();
  });
});
