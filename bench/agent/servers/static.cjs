// A page, the files of a package, and what a program of its own answers. The working folder is that of the installation.
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** `lib`: folder of node_modules that is served at /lib. `answer`: true when it took the request. */
exports.serve = ({ html, lib, answer = async () => false }) => {
  const server = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    if (await answer({ request, response, pathname, body: Buffer.concat(chunks).toString() })) return;
    const file = pathname.startsWith('/lib/') ? path.join('node_modules', lib, pathname.slice(5)) : null;
    if (file !== null && !file.includes('..') && fs.existsSync(file)) {
      response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream' });
      response.end(fs.readFileSync(file));
    } else if (pathname === '/') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(html);
    } else {
      response.writeHead(404);
      response.end();
    }
  });
  server.listen(Number(process.argv[2]), '127.0.0.1');
};

exports.json = (response, value, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
  return true;
};
