/** Serves the built pages and third-party apps to browsers, on a port of its own. */
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { BUILT, buildPages, PAGES } from '../../scripts/pages.mjs';
import { THIRD_PARTY, type ThirdPartyApp } from '../pages/third-party.ts';

const TYPES: Record<string, string> = {
  // Recorded answers of an app's own server.
  '': 'application/json; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.yaml': 'application/yaml; charset=utf-8',
};

/** The policy of a careful site: no inline script, no eval, no HTML from strings, no connections. */
const STRICT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

export interface PageServer {
  /** `http://127.0.0.1:…`; the page `react-rtk` is `${origin}/react-rtk/`. */
  readonly origin: string;
  /** The same pages as another site: a frame of it gets a process of its own under `--site-per-process`. */
  readonly otherOrigin: string;
  close(): Promise<void>;
}

/** Builds outdated pages, then listens. */
export async function startPageServer(): Promise<PageServer> {
  await buildPages();
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    send(decodeURIComponent(pathname), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    otherOrigin: `http://localhost:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(pathname: string, response: http.ServerResponse): void {
  if (pathname === '/favicon.ico') {
    response.writeHead(204).end();
    return;
  }
  const file = fileOf(pathname);
  if (file === null) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    return;
  }
  // A page's relative addresses are relative to its folder.
  if (fs.statSync(file).isDirectory()) {
    response.writeHead(301, { location: `${pathname}/` }).end();
    return;
  }
  response.writeHead(200, {
    'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
    'content-length': fs.statSync(file).size,
    'cache-control': 'no-store',
    ...(pathname.startsWith('/csp/') ? { 'content-security-policy': STRICT_POLICY } : {}),
  });
  fs.createReadStream(file).pipe(response);
}

function fileOf(pathname: string): string | null {
  const address = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
  for (const { root, rest } of placesOf(address)) {
    const file = path.join(root, rest);
    if (file.startsWith(root + path.sep) && fs.existsSync(file)) return file;
  }
  return null;
}

interface Place {
  readonly root: string;
  readonly rest: string;
}

/** The possible places of a file, the likeliest first. */
function placesOf(address: string): Place[] {
  const third = /^\/third\/([\w-]+)\/(.*)$/.exec(address);
  if (third === null) {
    const own = { root: BUILT, rest: address.slice(1) };
    // The routes of this page exist only in its script.
    return address.startsWith('/spa-routes/') ? [own, { root: BUILT, rest: 'spa-routes/index.html' }] : [own];
  }
  const [, name = '', rest = ''] = third;
  const app = THIRD_PARTY.find((candidate) => candidate.name === name);
  return app === undefined ? [] : thirdPartyPlaces(app, rest);
}

/** An app is the folder of its package, below a folder of ours with the additions of a host. */
function thirdPartyPlaces({ name, folder, at = '', hasRoutes = false }: ThirdPartyApp, rest: string): Place[] {
  const places = [{ root: path.join(PAGES, 'third', name), rest }];
  if (!rest.startsWith(at)) return places;
  const root = path.join(PAGES, 'node_modules', folder);
  places.push({ root, rest: rest.slice(at.length) });
  if (hasRoutes && path.extname(rest) === '') places.push({ root, rest: 'index.html' });
  return places;
}
