/** Runs `state-harness/`, which is compiled with the agent's sources, on the available runtimes. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { installRuntime } from '../../scripts/runtimes.mjs';
import { clrRules } from '../../src/probes/drivers/clr/clr-types.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const AGENT = path.join(ROOT, 'src/probes/drivers/clr/agent');
const SOURCES = path.join(import.meta.dirname, 'state-harness');
const NAME = 'StateHarness';
const TABLES = JSON.stringify(clrRules(NAME));

export interface Runtime {
  readonly name: string;
  readonly command: string;
  readonly file: string;
  /** Has types that are newer than .NET Core 3.1. */
  readonly isNew: boolean;
}

export const RUNTIMES: readonly Runtime[] = [
  { name: 'Mono', command: 'mono', file: `${NAME}.exe`, isNew: false },
  { name: '.NET 9', command: installRuntime('dotnet9'), file: `${NAME}.dll`, isNew: true },
  { name: '.NET Core 3.1', command: installRuntime('dotnet31'), file: `${NAME}.dll`, isNew: false },
].flatMap(({ command, ...runtime }) => (command === null ? [] : [{ ...runtime, command }]));

export class StateHarness {
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'state-harness-'));

  compile(): void {
    const program = path.join(this.folder, `${NAME}.exe`);
    execFileSync('mcs', [
      ...['-unsafe', '-optimize+', '-langversion:7', '-target:exe', '-main:Harness.Program'],
      // Fields that only the agent reads.
      ...['-nowarn:0067,0169,0219,0252,0253,0414,0649', '-r:System.Core.dll', '-r:System.dll', `-out:${program}`],
      ...[
        ...['budget', 'health', 'json', 'metadata', 'read', 'state'].map((name) => path.join(AGENT, name)),
        SOURCES,
      ].flatMap(sourcesIn),
    ]);
    fs.copyFileSync(program, path.join(this.folder, `${NAME}.dll`));
    const framework = { name: 'Microsoft.NETCore.App', version: '3.1.0' };
    fs.writeFileSync(
      path.join(this.folder, `${NAME}.runtimeconfig.json`),
      JSON.stringify({ runtimeOptions: { framework, rollForward: 'LatestMajor' } }),
    );
  }

  /** Returns its output lines. */
  run({ command, file }: Runtime, args: readonly string[], input = ''): string[] {
    const { stdout, stderr } = spawnSync(command, [path.join(this.folder, file), ...args], {
      encoding: 'utf8',
      input,
      timeout: 120_000,
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1', DOTNET_EnableDiagnostics: '0', TABLES },
    });
    expect(stderr).toBe('');
    return stdout.split('\n').slice(0, -1);
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

function sourcesIn(folder: string): string[] {
  const files = fs.readdirSync(folder).filter((file) => file.endsWith('.cs'));
  return files.map((file) => path.join(folder, file));
}
