import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DashboardPage } from '../../../src/http/dashboard-page.ts';
import { tempFolder } from '../store/temp-folder.ts';
import { type Harness, startServer } from './harness.ts';
import { rawRequest } from './raw-client.ts';

const STYLE = 'body { color: red }\n';
const SCRIPT = 'const tag = "<style>no style</style>"; document.title = "é" + tag;';
const HTML = `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><p>Hi</p><script type="module">${SCRIPT}</script>`;
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function serve(html: string | null): Promise<Harness> {
  const file = path.join(tempFolder(), 'dashboard.html');
  if (html !== null) fs.writeFileSync(file, html);
  return startServer({ dashboard: new DashboardPage([file]) });
}

describe('the dashboard', () => {
  it('is served whole, to anybody, and kept by nobody', async () => {
    const { url } = await serve(HTML);
    const response = await fetch(`${url}/?anything`);
    expect([response.status, await response.text()]).toEqual([200, HTML]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('may run its own script and style, and nothing else', async () => {
    const { url } = await serve(HTML);
    const policy = (await fetch(url)).headers.get('content-security-policy');
    expect(policy?.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hash(SCRIPT)}`,
      `style-src ${hash(STYLE)}`,
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    const bare = await serve('<p>Hi</p>');
    expect((await fetch(bare.url)).headers.get('content-security-policy')).toContain(
      "script-src 'none'; style-src 'none'",
    );
  });

  it('says why it is not there, and comes when it is', async () => {
    const file = path.join(tempFolder(), 'dashboard.html');
    const server = await startServer({ dashboard: new DashboardPage([file]) });
    const answer = await server.get('/');
    expect(answer.status).toBe(404);
    expect(answer.error()).toMatchObject({ code: 'not_found', message: expect.stringContaining('npm run build') });
    fs.writeFileSync(file, HTML);
    expect((await server.get('/')).text).toBe(HTML);
  });

  it('opens from an address bar or a terminal, not from a page of somebody else', async () => {
    const { port } = await serve(HTML);
    const statusFor = async (...headers: string[]) =>
      (await rawRequest(port, 'GET / HTTP/1.1', [`Host: 127.0.0.1:${port}`, ...headers])).status;
    const navigation = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'];
    expect(await statusFor('Sec-Fetch-Site: none', ...navigation)).toBe(200);
    expect(await statusFor('Sec-Fetch-Site: same-origin', ...navigation)).toBe(200);
    expect(await statusFor('Sec-Fetch-Site: cross-site', ...navigation)).toBe(403);
    expect(await statusFor('Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe')).toBe(
      403,
    );
    expect(await statusFor('Referer: http://evil.example/')).toBe(403);
    expect((await rawRequest(port, 'GET / HTTP/1.1', ['Host: evil.example'])).status).toBe(403);
  });

  it('tells who followed a link how to get there', async () => {
    const { port } = await serve(HTML);
    const headers = [`Host: 127.0.0.1:${port}`, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'];
    const { error } = await rawRequest(port, 'GET / HTTP/1.1', headers);
    expect(error()).toMatchObject({ code: 'forbidden_origin', message: expect.stringContaining('address bar') });
  });
});
