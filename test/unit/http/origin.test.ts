import { describe, expect, it } from 'vitest';
import { startServer } from './harness.ts';
import { rawRequest } from './raw-client.ts';

async function codeFor(port: number, headers: readonly string[]): Promise<string> {
  const { status, error } = await rawRequest(port, 'GET /health HTTP/1.1', headers);
  return status === 200 ? 'ok' : `${status} ${error().code}`;
}

describe('Host', () => {
  it.each([
    ['127.0.0.1', 'ok'],
    ['localhost', 'ok'],
    ['LocalHost:7842', 'ok'],
    ['[::1]:7842', 'ok'],
    ['daemon.internal:99', 'ok'],
    ['evil.example', '403 forbidden_host'],
    ['127.0.0.1.evil.example', '403 forbidden_host'],
    ['localhost.evil.example:7842', '403 forbidden_host'],
    ['localhost@evil.example', '403 forbidden_host'],
    ['evil.example#localhost', '403 forbidden_host'],
    ['localhost:80:80', '403 forbidden_host'],
    ['127.0.0.1, evil.example', '403 forbidden_host'],
    ['0.0.0.0', '403 forbidden_host'],
    ['::1', '403 forbidden_host'],
    ['', '403 forbidden_host'],
  ])('%s: %s', async (host, outcome) => {
    const { port } = await startServer({ host: '127.0.0.1', hostName: 'daemon.internal' });
    expect(await codeFor(port, [`Host: ${host}`])).toBe(outcome);
  });

  it('must be there, once', async () => {
    const { port } = await startServer();
    expect(await codeFor(port, ['X-A: 1'])).toBe('403 forbidden_host');
    expect(await codeFor(port, ['Host: localhost', 'Host: evil.example'])).toBe('403 forbidden_host');
    expect(await codeFor(port, ['Host: evil.example', 'Host: localhost'])).toBe('403 forbidden_host');
  });

  it('may be the address of the connection when the daemon listens everywhere', async () => {
    const { port } = await startServer({ host: '0.0.0.0' });
    expect(await codeFor(port, [`Host: 127.0.0.1:${port}`])).toBe('ok');
    expect(await codeFor(port, [`Host: 192.0.2.1:${port}`])).toBe('403 forbidden_host');
  });
});

describe('a name of allowed_hosts', () => {
  const named = () => startServer({ host: '0.0.0.0', allowedHosts: ['MyHost', 'host.docker.internal'] });

  it.each([
    ['myhost', 'ok'],
    ['MYHOST:7842', 'ok'],
    ['host.docker.internal:7842', 'ok'],
    ['127.0.0.1', 'ok'],
    ['myhost.evil.example', '403 forbidden_host'],
    ['docker.internal', '403 forbidden_host'],
  ])('is taken in Host, on /health too: %s %s', async (host, outcome) => {
    expect(await codeFor((await named()).port, [`Host: ${host}`])).toBe(outcome);
  });

  it('is an origin of our own, also behind a proxy with TLS', async () => {
    const { port } = await named();
    const from = (host: string, origin: string) => codeFor(port, [`Host: ${host}`, `Origin: ${origin}`]);
    expect(await from(`myhost:${port}`, `http://myhost:${port}`)).toBe('ok');
    expect(await from('myhost', 'https://myhost')).toBe('ok');
    expect(await from('myhost:8443', 'https://myhost:8443')).toBe('ok');
    // Another server of that machine.
    expect(await from(`myhost:${port}`, 'https://myhost')).toBe('403 forbidden_origin');
    expect(await from(`127.0.0.1:${port}`, `https://myhost:${port}`)).toBe('403 forbidden_origin');
    expect(await from('localhost', 'https://localhost')).toBe('403 forbidden_origin');
    expect(await from('myhost', 'https://evil.example')).toBe('403 forbidden_origin');
  });
});

describe('Origin, Referer and Sec-Fetch-Site', () => {
  const refused = '403 forbidden_origin';

  it('lets our own pages in', async () => {
    const { port } = await startServer();
    const host = `Host: 127.0.0.1:${port}`;
    expect(await codeFor(port, [host, `Origin: http://127.0.0.1:${port}`])).toBe('ok');
    expect(await codeFor(port, [host, `Origin: http://localhost:${port}`])).toBe('ok');
    expect(await codeFor(port, [`Host: [::1]:${port}`, `Origin: http://[::1]:${port}`])).toBe('ok');
    expect(await codeFor(port, [host, `Referer: http://127.0.0.1:${port}/dashboard?a=1`])).toBe('ok');
    expect(await codeFor(port, ['Host: localhost:9000', 'Origin: http://localhost:9000'])).toBe('ok');
    expect(await codeFor(port, [host, 'Sec-Fetch-Site: same-origin'])).toBe('ok');
    expect(await codeFor(port, [host, 'Sec-Fetch-Site: none'])).toBe('ok');
  });

  it('refuses all others', async () => {
    const { port } = await startServer();
    const host = `Host: 127.0.0.1:${port}`;
    for (const origin of [
      'null',
      '',
      'http://evil.example',
      `http://evil.example:${port}`,
      `http://127.0.0.1:${port}.evil.example`,
      `http://127.0.0.1.evil.example:${port}`,
      `http://127.0.0.1:${port}0`,
      'http://127.0.0.1',
      'http://localhost:3000',
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${port}@evil.example`,
      `chrome-extension://127.0.0.1:${port}`,
      `http://127.0.0.1:${port}, http://evil.example`,
    ]) {
      expect([origin, await codeFor(port, [host, `Origin: ${origin}`])]).toEqual([origin, refused]);
    }
    expect(await codeFor(port, [host, `Origin: http://127.0.0.1:${port}`, 'Origin: http://evil.example'])).toBe(
      refused,
    );
    expect(await codeFor(port, [host, 'Referer: http://evil.example/'])).toBe(refused);
    expect(await codeFor(port, [host, `Referer: http://127.0.0.1:${port}/`, 'Referer: http://evil.example/'])).toBe(
      refused,
    );
    expect(await codeFor(port, [host, 'Referer: about:blank'])).toBe(refused);
    for (const site of ['cross-site', 'same-site', 'anything']) {
      expect(await codeFor(port, [host, `Sec-Fetch-Site: ${site}`])).toBe(refused);
    }
  });
});
