/** The built agents, and the file of Mono that one of them is loaded into. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkAgents } from '../../src/cli/doctor/agent-checks.ts';
import { configSchema } from '../../src/config-schema.ts';
import { readAgentBuild as readDotnetBuild } from '../../src/probes/drivers/clr/agent-build.ts';
import { readMonoBuild } from '../../src/probes/drivers/clr/mono/mono-build.ts';
import { readAgentBuild as readJavaBuild } from '../../src/probes/drivers/jvm/agent-build.ts';
import { createDrivers } from '../../src/probes/registry.ts';
import { isWholeElf, isWholePe, isWholeZip } from '../../src/probes/support/agent-files/whole-files.ts';

describe('the agents', async () => {
  const { agents } = await createDrivers(configSchema.parse({}).probe);

  it('are there and whole', () => {
    expect(checkAgents(agents, 'x64').map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect(checkAgents(agents, 'riscv64').map(({ status }) => status)).toEqual(['warning', 'warning']);
  });

  it('are known to be cut short, or for another CPU', () => {
    const { payload, library } = readJavaBuild();
    const { assembly } = readDotnetBuild();
    const native = library('x64') ?? Buffer.alloc(0);
    const half = (file: Buffer) => file.subarray(0, file.length / 2);
    expect([isWholeZip(payload), isWholePe(assembly), isWholeElf(native, 'x64')]).toEqual([true, true, true]);
    expect([isWholeZip(half(payload)), isWholePe(half(assembly)), isWholeElf(half(native), 'x64')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(isWholeElf(native, 'arm64')).toBe(false);
    for (const judge of [isWholeZip, isWholePe]) expect(judge(Buffer.alloc(0))).toBe(false);
  });
});

/** The kernel's page sizes: 4 KiB on x64; 4, 16 or 64 KiB on arm64. */
const LARGEST_PAGE = { x64: 0x1000, arm64: 0x10000 };
const PT_LOAD = 1;

/** The alignments of the mapped parts of a library. */
function alignments(elf: Buffer): number[] {
  const at = Number(elf.readBigUInt64LE(32));
  const headers = Array.from({ length: elf.readUInt16LE(56) }, (_, index) => at + index * elf.readUInt16LE(54));
  return headers
    .filter((header) => elf.readUInt32LE(header) === PT_LOAD)
    .map((header) => Number(elf.readBigUInt64LE(header + 48)));
}

describe('the native libraries', () => {
  it.each(['x64', 'arm64'] as const)('can be mapped on every kernel for %s', (cpu) => {
    const { heap, profilerLoader } = readDotnetBuild();
    const built = [readJavaBuild().library(cpu), heap(cpu), profilerLoader(cpu)].filter((file) => file !== null);
    if (cpu === process.arch) expect(built).toHaveLength(3);
    for (const library of built)
      for (const alignment of alignments(library)) expect(alignment % LARGEST_PAGE[cpu]).toBe(0);
  });
});

describe("the file of Debian's Mono", () => {
  it('tells which messages it takes, and its version', () => {
    expect(readMonoBuild(fs.realpathSync('/usr/bin/mono'))).toEqual({
      version: expect.stringMatching(/^6\.\d+\.\d+\.\d+$/),
      frame: 'terminated',
    });
  });
});
