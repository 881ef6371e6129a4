/** Reads a .NET program before its start: which version it wants, and whether it needs the agent from the start. */
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { Launch } from '../../../support/launch.ts';
import { readSmallText } from '../../../support/plain-file.ts';
import { refusesHooks, switchedOff } from '../coreclr/coreclr-inject.ts';
import { readBundleFile } from './bundle.ts';
import { assemblyBase, parseClrCommand } from './clr-command.ts';
import { type ClrSettings, majorOf, parseSettings } from './clr-facts.ts';

/** The first version that accepts an agent while it runs, by its own means. */
const TAKES_HOOKS = 8;
/** The first that has startup hooks. */
const HAS_HOOKS = 3;

const framework = z.object({ name: z.string(), version: z.string() });
const versions = z.object({
  runtimeOptions: z.object({
    tfm: z.string().optional(),
    framework: framework.optional(),
    frameworks: z.array(framework).optional(),
    includedFrameworks: z.array(framework).optional(),
  }),
});

/** The reason why the agent has to be there from the start; null if it need not be, or could not. */
export type HookReason = string | null;

export interface DotnetProgram {
  /** Null if it does not say. */
  readonly major: number | null;
  readonly hook: HookReason;
}

/** Null if it is not a .NET program, or not known before it runs (`dotnet run`). */
export function readDotnetProgram(launch: Launch): DotnetProgram | null {
  const { env } = launch;
  const text = readSettingsText(launch);
  if (text === null) return null;
  const settings = parseSettings(text);
  const major = majorIn(text);
  return { major, hook: refusesHooks(settings) ? null : hookReason(major, settings, env) };
}

function hookReason(major: number | null, settings: ClrSettings | null, env: NodeJS.ProcessEnv): HookReason {
  if (major !== null && major < HAS_HOOKS) return null;
  const given = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  const setting = switchedOff(new Map(given), settings);
  if (setting !== null) return `${setting} switches the ways in for others off`;
  return major !== null && major < TAKES_HOOKS ? `.NET ${major} takes no agent by its own means later` : null;
}

function readSettingsText({ realFile: real, args, cwd }: Launch): string | null {
  if (path.basename(real) !== 'dotnet') {
    const beside = readSmallText(`${real}.runtimeconfig.json`);
    return beside !== null && fs.existsSync(`${real}.dll`) ? beside : (readBundleFile(real)?.settings ?? null);
  }
  const { assembly, settingsFile } = parseClrCommand('dotnet', ['dotnet', ...args]);
  if (assembly === null) return null;
  const main = path.resolve(cwd, assembly);
  const usual = path.join(path.dirname(main), `${assemblyBase(main)}.runtimeconfig.json`);
  return readSmallText(settingsFile === null ? usual : path.resolve(cwd, settingsFile));
}

function majorIn(text: string): number | null {
  try {
    const {
      tfm,
      framework: one,
      frameworks = [],
      includedFrameworks = [],
    } = versions.parse(JSON.parse(text)).runtimeOptions;
    const named = [...(one ? [one] : []), ...frameworks, ...includedFrameworks];
    const core = named.find(({ name }) => name === 'Microsoft.NETCore.App') ?? named[0];
    return core ? majorOf(core.version) : majorOf(/^net(?:coreapp)?(\d+)/.exec(tfm ?? '')?.[1] ?? '');
  } catch {
    // The file is no JSON: the program is named by its file.
    return null;
  }
}
