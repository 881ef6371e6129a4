import path from 'node:path';
import { says } from '../../app.ts';
import { startCommand } from '../../start.ts';
import type { FirstApp } from '../first-app.ts';

const TOKEN = 'quay-side-token';
const artifact = (url: string, init: RequestInit = {}) =>
  fetch(`${url}/v8/artifacts/0f3a9c?teamId=team_harbour`, {
    ...init,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/octet-stream' },
  });

export const turborepoRemoteCache: FirstApp = {
  name: 'turborepo-remote-cache',
  kind: 'Node: Fastify',
  packages: {
    dependencies: { 'turborepo-remote-cache': '2.12.0' },
    // The newest versions of the two are not always compatible.
    overrides: { '@aws-sdk/client-s3': '3.750.0', '@aws-sdk/lib-storage': '3.750.0' },
  },
  start({ port, folder, modules }) {
    const env = {
      PORT: String(port),
      HOST: '127.0.0.1',
      TURBO_TOKEN: TOKEN,
      STORAGE_PROVIDER: 'local',
      STORAGE_PATH: 'ferry-artifacts',
      BODY_LIMIT: '73400321',
      LOG_LEVEL: 'warn',
    };
    const file = path.join(modules, 'turborepo-remote-cache/dist/cli.js');
    return startCommand(process.execPath, [file], { port, folder, env });
  },
  fill: async (url) => (await artifact(url, { method: 'PUT', body: 'Sandpiper' })).ok,
  ready: async ({ url }) => (await (await artifact(url)).text()) === 'Sandpiper',
  facts: [
    { ask: 'folder of the artifacts', value: 'ferry-artifacts' },
    { ask: 'most bytes of an artifact', value: 73_400_321, key: 'limit' },
    { ask: 'level of the log', value: 'warn', key: 'level' },
    { ask: 'where artifacts are kept', value: 'local', key: 'provider' },
    { ask: 'whether it only reads', value: false, key: 'read.?only' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the "body limit"?', check: says('73400321') },
    { kind: 'read', words: 'What is the "storage path"?', check: says('ferry-artifacts') },
  ],
};
