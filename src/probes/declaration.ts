/** What a driver says of itself. None of its code is loaded for that: every command reads the configuration. */
import type * as z from 'zod';
import type { ProbeDriver } from './probe.ts';

export interface DriverDeclaration {
  /** `runtime` of an app on the wire, and the name of the section `[probe.<runtime>]`. */
  readonly runtime: string;
  /** The ways in which its probes read a program: `probe_tier` of a state. */
  readonly tiers: readonly string[];
  /** The section of the configuration. An empty one has all defaults. */
  readonly settings: z.ZodType;
  /** Names of commands that start its programs, and what a person calls such a program. */
  readonly commands: readonly (readonly [RegExp, string])[];
  /** Folders that its attach needs. */
  readonly folders: readonly NeededFolder[];
  /** Throws `ZodError` when the section is wrong. */
  load(section: unknown): Promise<ProbeDriver>;
}

export interface NeededFolder {
  readonly path: string;
  readonly needs: 'write' | 'execute';
  /** What does not work without it: a clause. */
  readonly otherwise: string;
}

interface Declared<Settings extends z.ZodType> extends Omit<DriverDeclaration, 'settings' | 'folders' | 'load'> {
  readonly settings: Settings;
  readonly folders?: readonly NeededFolder[];
  readonly load: () => Promise<(settings: z.infer<Settings>) => ProbeDriver>;
}

/** Gives the settings their type within the driver. */
export function declareDriver<Settings extends z.ZodType>(
  declared: Declared<Settings>,
): DriverDeclaration & { readonly settings: Settings } {
  return {
    ...declared,
    folders: declared.folders ?? [],
    async load(section) {
      const create = await declared.load();
      return create(declared.settings.parse(section ?? {}));
    },
  };
}
