/**
 * The modules that are loaded before a command does anything, and before a daemon is ready. A count, not a time:
 * imports are compiled at every start, by every command, on every machine.
 */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname ?? '.', '../..');
const STATIC =
  /^(?:import|export)\b(?!\s+type\b)\s*([^'"();]*?)\s*\bfrom\s*['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gm;

/** Our files and packages that are loaded with a file, without dynamic imports. */
function loadedWith(entry: string): Set<string> {
  const loaded = new Set<string>();
  const visit = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    if (!file.startsWith('src/')) return;
    const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
    for (const [, clause = '', from, bare] of text.matchAll(STATIC)) {
      const specifier = from ?? bare ?? '';
      const names =
        /^\{([^}]*)\}$/
          .exec(clause.trim())?.[1]
          ?.split(',')
          .map((name) => name.trim()) ?? null;
      if (names?.every((name) => name === '' || name.startsWith('type '))) continue;
      if (!specifier.startsWith('.')) loaded.add(specifier);
      else visit(path.posix.join(path.posix.dirname(file), specifier.replace(/\?.*$/, '')));
    }
  };
  visit(entry);
  return loaded;
}

const packagesOf = (loaded: ReadonlySet<string>) =>
  [...loaded].filter((name) => !name.startsWith('src/') && !name.startsWith('node:')).sort();

it('sees what a file imports', () => {
  expect(loadedWith('src/semantic/predicate/predicate.ts')).toContain('acorn');
  expect(loadedWith('src/client/node.ts')).toContain('src/client/substrate.ts');
});

it('is the command line alone for every command', () => {
  const loaded = loadedWith('src/cli/command-line.ts');
  expect(packagesOf(loaded)).toEqual(['commander']);
  expect([...loaded].filter((file) => /^src\/(?:config|http|daemon|probes|semantic|mcp)/.test(file))).toEqual([]);
  expect(packagesOf(loadedWith('src/main.ts'))).toEqual([]);
});

it('is nothing that attaches, parses expressions, speaks to models or to watchers, for a daemon', () => {
  const loaded = loadedWith('src/cli/serve.ts');
  const packages = packagesOf(loaded);
  for (const late of ['acorn', 'ws', '@modelcontextprotocol/server', 'commander']) expect(packages).not.toContain(late);
  // Nothing of a fleet, unless it is configured.
  expect(packages.filter((name) => name.startsWith('@nats-io/'))).toEqual([]);
  expect([...loaded].filter((file) => /^src\/fleet\/|join-fleet/.test(file))).toEqual([]);
  const drivers = [...loaded]
    .filter((file) => file.startsWith('src/probes/drivers/'))
    .map((file) => path.posix.basename(file));
  expect([...new Set(drivers)].sort()).toEqual(['declaration.ts', 'settings.ts']);
  expect([...loaded].filter((file) => /^src\/(?:mcp|client|dashboard)\//.test(file))).toEqual([]);
});

it.each(['v8', 'jvm', 'clr'])('is no agent and no insight into code for the driver of %s', (runtime) => {
  const loaded = loadedWith(`src/probes/drivers/${runtime}/driver.ts`);
  expect(packagesOf(loaded)).not.toContain('acorn');
  expect(packagesOf(loaded)).not.toContain('ws');
  expect([...loaded].filter((file) => /\/agent\/|\/insight\/|\/injected\/|attach\.ts$/.test(file))).toEqual([]);
});
