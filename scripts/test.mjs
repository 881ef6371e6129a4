// `npm test`: installs what is missing, then lint, types, unused code, build, and all tests. Unit tests start as soon as the
// build is there: most of the rest of the preparation waits for the network.
import { CHECKS } from './checks.mjs';
import { UNIT } from './groups.mjs';
import { startTasks } from './tasks.mjs';
import { runGroups, sayOutcome } from './test-groups.mjs';

const SYSTEM_PACKAGES = [
  'chromium',
  'xvfb',
  'openjdk-17-jdk',
  // A compiler of C for this CPU and the other, and the OpenSSL for .NET Core 3.1.
  'gcc',
  'libc6-dev',
  process.arch === 'arm64' ? 'gcc-x86-64-linux-gnu' : 'gcc-aarch64-linux-gnu',
  'openssl',
  // For tests that need a machine for themselves.
  'iproute2',
  // The server of a fleet, and one that scrapes metrics.
  'nats-server',
  'prometheus',
  // Containers.
  'podman',
  'crun',
  // The C# compiler, and Mono itself with its windows.
  'mono-mcs',
  'mono-runtime',
  'libmono-system-windows-forms4.0-cil',
  // Programs and libraries of others, as targets.
  'tomcat10-common',
  'libtomcat10-java',
  'libh2-java',
  'jedit',
  // With JavaFX, which Debian has for this CPU only.
  ...(process.arch === 'x64' ? ['pdfsam'] : []),
  'libspring-context-java',
  'libclojure-java',
  'groovy',
  'scala-library',
  'keepass2',
  // For the Python client.
  'python3',
  // Shells that complete commands.
  'zsh',
  'fish',
];
const script = (name, ...args) => [process.execPath, `scripts/${name}.mjs`, ...args];
const started = Date.now();

// Those first that others wait for, and those that take long.
const preparation = startTasks([
  { what: 'npm packages', command: script('install') },
  { what: 'packages of the pages', command: script('install', 'test/pages') },
  { what: 'system packages', command: script('system-packages', ...SYSTEM_PACKAGES) },
  { what: 'build', command: script('build'), after: ['npm packages', 'system packages'] },
  {
    what: '.NET',
    command: script('runtimes', 'dotnet31', 'dotnet9', 'dotnet8', 'trimmed', 'aot'),
    after: ['system packages'],
  },
  { what: 'Electron, NW.js, Deno', command: script('runtimes', 'electron', 'nw', 'deno') },
  { what: 'newer Nodes', command: script('runtimes', 'node22', 'node24', 'node26') },
  { what: 'pages', command: script('pages'), after: ['npm packages', 'packages of the pages'] },
  { what: 'generator of clients', command: script('generator') },
  { what: 'jest', command: script('install', 'test/jest') },
  { what: 'Java programs', command: script('java-targets'), after: ['system packages'] },
  { what: 'older JDKs', command: script('runtimes', 'jdk9', 'jdk11'), after: ['system packages'] },
  { what: 'C# programs', command: script('csharp-targets'), after: ['system packages', '.NET'] },
  ...CHECKS,
]);
const seconds = (from) => Math.round((Date.now() - from) / 1000);
preparation.all.then(() => console.error(`Preparation ${seconds(started)} s.`));
const results = await runGroups(process.argv.slice(2), {
  isReady: (groups) => (groups.every((group) => group === UNIT) ? preparation.after(['build']) : preparation.all),
});
const isGood = sayOutcome(results) && (await preparation.all);
console.error(`${seconds(started)} s in all.`);
process.exit(isGood ? 0 : 1);
