// `npm test`: installs what is missing, then lint, types, unused code, build, and all tests.
import { CHECKS } from './checks.mjs';
import { runTasks } from './tasks.mjs';
import { runGroups, sayOutcome } from './test-groups.mjs';

const SYSTEM_PACKAGES = [
  'chromium',
  'xvfb',
  'openjdk-17-jdk',
  // A compiler of C for this CPU and the other, and the OpenSSL that .NET Core 3.1 is led to.
  'gcc',
  'libc6-dev',
  process.arch === 'arm64' ? 'gcc-x86-64-linux-gnu' : 'gcc-aarch64-linux-gnu',
  'openssl',
  // For tests that want a machine for themselves.
  'iproute2',
  // The server of a fleet, and one that asks for metrics.
  'nats-server',
  'prometheus',
  // The C# compiler, and Mono itself with its windows.
  'mono-mcs',
  'mono-runtime',
  'libmono-system-windows-forms4.0-cil',
  // Programs and libraries that others wrote, to look into.
  'tomcat10-common',
  'libtomcat10-java',
  'libh2-java',
  'jedit',
  // With JavaFX, which Debian has for this CPU alone.
  ...(process.arch === 'x64' ? ['pdfsam'] : []),
  'libspring-context-java',
  'libclojure-java',
  'groovy',
  'scala-library',
  'keepass2',
  // Runs the client for Python.
  'python3',
  // Shells that complete commands.
  'zsh',
  'fish',
];
const script = (name, ...args) => [process.execPath, `scripts/${name}.mjs`, ...args];
const started = Date.now();

// Those first that others wait for, and those that take long.
const isReady = await runTasks([
  { what: 'npm packages', command: script('install') },
  { what: 'packages of the pages', command: script('install', 'test/pages') },
  { what: 'system packages', command: script('system-packages', ...SYSTEM_PACKAGES) },
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
  { what: 'build', command: script('build'), after: ['npm packages', 'system packages'] },
  { what: 'Java programs', command: script('java-targets'), after: ['system packages'] },
  { what: 'older JDKs', command: script('runtimes', 'jdk9', 'jdk11'), after: ['system packages'] },
  { what: 'C# programs', command: script('csharp-targets'), after: ['system packages', '.NET'] },
  ...CHECKS,
]);
const prepared = Date.now();
const results = isReady ? await runGroups(process.argv.slice(2)) : [];
const seconds = (from, to) => Math.round((to - from) / 1000);
const isGood = isReady && sayOutcome(results);
console.error(`Preparation ${seconds(started, prepared)} s, tests ${seconds(prepared, Date.now())} s.`);
process.exit(isGood ? 0 : 1);
