import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ask, says } from '../../app.ts';
import { startPackage } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

function writeKey(folder: string, kid: string, alg: string, key: KeyObject): string {
  const file = path.join(folder, `${kid}.json`);
  fs.writeFileSync(file, JSON.stringify({ ...key.export({ format: 'jwk' }), kid, alg, use: 'sig' }));
  return file;
}

const keys = (url: string) => ask<{ keys: unknown[] }>(`${url}/jwks`);

export const oauth2MockServer: FirstApp = {
  name: 'oauth2-mock-server',
  kind: 'Node: plain http, OAuth',
  packages: { dependencies: { 'oauth2-mock-server': '9.3.0' } },
  start(place) {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const args = ['-a', '127.0.0.1', '-p', String(place.port), '--issuer-url-trailing-slash'];
    args.push('--jwk', writeKey(place.folder, 'sandpiper-7', 'RS256', rsa));
    args.push('--jwk', writeKey(place.folder, 'petrel-9', 'ES256', curve));
    return startPackage('oauth2-mock-server/dist/oauth2-mock-server.mjs', args, place);
  },
  fill: async (url) => (await keys(url)).keys.length === 2,
  ready: async () => true,
  facts: [
    { ask: 'a key', line: 'sandpiper-7' },
    { ask: 'another key', line: 'petrel-9' },
    { ask: 'how it signs', value: 'ES256' },
    { ask: 'issuer', match: '^http://(?:127\\.0\\.0\\.1|localhost):\\d+/?$' },
    { ask: 'whether the issuer ends with a slash', value: true, key: 'slash' },
  ],
  tasks: [
    {
      kind: 'read',
      words: 'What is the "url" of the issuer?',
      check: ({ url }, answer) => answer.includes(url.slice(-5)),
    },
    { kind: 'read', words: 'What is "alg" of the key "petrel-9"?', check: says('ES256') },
  ],
};
