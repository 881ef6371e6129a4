// The common part of the agents' builds: each makes a folder below dist/ from its sources, once per version of sources
// and tools. build.mjs wipes dist/, so the results are kept in .cache/.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SELF = fileURLToPath(import.meta.url);
export const ROOT = path.dirname(path.dirname(SELF));

export const CPUS = [
  { name: 'x64', machine: 62, compilers: ['x86_64-linux-gnu-gcc'] },
  { name: 'arm64', machine: 183, compilers: ['aarch64-linux-gnu-gcc'] },
];

/**
 * `out` and `cache` are folders, `sources` files, `tools` other inputs of the result. `make(work, made, build)` puts
 * all files into the folder `made`. Returns the hash of the sources.
 */
export function buildOnce({ out, cache, sources, tools, make }) {
  const inputs = [...sources, SELF];
  const build = hash(inputs.flatMap((file) => [path.relative(ROOT, file), fs.readFileSync(file)])).slice(0, 16);
  const kept = path.join(cache, hash([build, ...tools.map(String)]));
  if (!fs.existsSync(kept)) makeAndKeep(kept, cache, build, make);
  if (!isCopy(kept, out)) {
    fs.rmSync(out, { recursive: true, force: true });
    fs.cpSync(kept, out, { recursive: true });
  }
  return build;
}

function makeAndKeep(kept, cache, build, make) {
  const before = fs.existsSync(cache) ? fs.readdirSync(cache) : [];
  const work = path.join(cache, `work-${process.pid}`);
  const made = path.join(work, 'made');
  fs.mkdirSync(made, { recursive: true });
  make(work, made, build);
  const files = fs.readdirSync(made).sort();
  fs.writeFileSync(path.join(made, 'build.json'), `${JSON.stringify({ build, files })}\n`);
  if (!fs.existsSync(kept)) fs.renameSync(made, kept);
  for (const name of before.filter((name) => !name.startsWith('work-')).concat(path.basename(work)))
    fs.rmSync(path.join(cache, name), { recursive: true, force: true });
}

function isCopy(from, to) {
  const names = fs.readdirSync(from);
  return names.every((name) => {
    const copy = path.join(to, name);
    return fs.existsSync(copy) && fs.readFileSync(copy).equals(fs.readFileSync(path.join(from, name)));
  });
}

/** A C compiler for each CPU, or null. */
export function findCompilers() {
  return CPUS.map((cpu) => {
    const own = cpu.name === process.arch ? ['gcc', 'cc', 'clang'] : [];
    return [...own, ...cpu.compilers].map(findProgram).find((file) => file !== null) ?? null;
  });
}

/** Undefined and exported names of a shared library. Throws if it is for another CPU or needs another library. */
export function symbolsOf(elf, cpu, name) {
  const SHT_DYNAMIC = 6;
  const SHT_DYNSYM = 11;
  const DT_NEEDED = 1n;
  if (elf.readUInt16LE(18) !== cpu.machine) throw new Error(`${name} is not for ${cpu.name}`);
  const sections = Number(elf.readBigUInt64LE(40));
  const symbols = { undefined: [], exported: [] };
  for (let at = 0; at < elf.readUInt16LE(60); at++) {
    const header = sections + at * elf.readUInt16LE(58);
    const type = elf.readUInt32LE(header + 4);
    const offset = Number(elf.readBigUInt64LE(header + 24));
    const end = offset + Number(elf.readBigUInt64LE(header + 32));
    if (type === SHT_DYNAMIC)
      for (let entry = offset; entry < end; entry += 16)
        if (elf.readBigUInt64LE(entry) === DT_NEEDED) throw new Error(`${name} needs another library`);
    if (type === SHT_DYNSYM)
      for (let symbol = offset + 24; symbol < end; symbol += 24) {
        const strings = sections + elf.readUInt32LE(header + 40) * elf.readUInt16LE(58);
        const start = Number(elf.readBigUInt64LE(strings + 24)) + elf.readUInt32LE(symbol);
        const text = elf.toString('latin1', start, elf.indexOf(0, start));
        symbols[elf.readUInt16LE(symbol + 6) === 0 ? 'undefined' : 'exported'].push(text);
      }
  }
  return symbols;
}

export function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file)) ?? null;
}

export function filesBelow(folder) {
  return fs
    .readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, name))
    .filter((file) => fs.statSync(file).isFile())
    .sort();
}

export function hash(parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${part.length}:`).update(part);
  return sum.digest('hex');
}

export function run(program, args) {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${path.basename(program)} failed:\n${stdout}${stderr}`);
}
