// Makes dist/host/: the program that reaches into the network of a container, for each CPU.
//
//   enter-network-x64, enter-network-arm64
//   build.json                     { build, files }
//
// The same sources give the same bytes.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildOnce, CPUS, findCompilers, ROOT, run } from './agent-build.mjs';

const source = path.join(ROOT, 'src/host/linux/native/enter-network.c');

/** Gives the hash of what is in dist/host/, or null where there is no C compiler to make it. */
export function buildNetworkHelper() {
  const compilers = findCompilers();
  CPUS.forEach((cpu, at) => {
    if (!compilers[at])
      process.stderr.write(`No C compiler for ${cpu.name}: dist/host has no enter-network-${cpu.name}.\n`);
  });
  if (compilers.every((compiler) => compiler === null)) return null;
  return buildOnce({
    out: path.join(ROOT, 'dist/host'),
    cache: path.join(ROOT, '.cache/network-helper'),
    sources: [source, fileURLToPath(import.meta.url)],
    tools: compilers,
    make: (_work, made) => {
      CPUS.forEach((cpu, at) => {
        if (compilers[at]) compile(compilers[at], path.join(made, `enter-network-${cpu.name}`));
      });
    },
  });
}

/** Freestanding: the one program serves every libc. */
function compile(compiler, file) {
  run(compiler, [
    ...['-std=c11', '-O2', '-ffreestanding', '-nostdlib', '-static', '-fno-pie', '-no-pie', '-fno-stack-protector'],
    ...['-fno-ident', '-fno-asynchronous-unwind-tables', '-fno-tree-loop-distribute-patterns'],
    ...['-Wall', '-Wextra', '-Werror', '-s', '-Wl,-z,noexecstack', '-Wl,--build-id=none'],
    ...['-o', file, source],
  ]);
  fs.chmodSync(file, 0o755);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) buildNetworkHelper();
