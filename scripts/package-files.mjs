// The files of a package: its users have neither a compiler nor a network.
import fs from 'node:fs';
import path from 'node:path';

const LIBRARIES = ['jvm/agent', 'clr/profiler_loader', 'clr/heap'].flatMap((name) => [
  `${name}-x64.so`,
  `${name}-arm64.so`,
]);
const HELPERS = ['host/enter-network-x64', 'host/enter-network-arm64'];
const NEEDED = [
  ...['substrate.js', 'dashboard.html', 'THIRD-PARTY-LICENSES.txt'],
  ...['client/index.js', 'client/node.js', 'client/index.d.ts'],
  ...['index.js', 'index.cjs', 'vitest.js', 'jest.cjs', 'playwright.js', 'jest.d.ts'].map((name) => `test/${name}`),
  ...['jvm/boot.jar', 'jvm/payload.jar', 'jvm/build.json', 'clr/build.json', ...LIBRARIES],
  ...['host/build.json', ...HELPERS],
];

/** The files that are missing in this folder. */
export function missingFiles(dist) {
  return NEEDED.filter((name) => !fs.existsSync(path.join(dist, name)));
}
