/** A driver's declaration. Reading it loads no code of the driver, because every command reads the configuration. */
import type * as z from 'zod';
import type { ProbeDriver } from './probe.ts';

export interface DriverDeclaration {
  /** `runtime` of an app on the wire, and the name of the section `[probe.<runtime>]`. */
  readonly runtime: string;
  /** The tiers of its probes: `probe_tier` of a state. */
  readonly tiers: readonly string[];
  /** The section of the configuration. An empty one has all defaults. */
  readonly settings: z.ZodType;
  /** Names of commands that start its programs, with the name of such a program for people. */
  readonly commands: readonly (readonly [RegExp, string])[];
  /** Folders that its attach needs. */
  readonly folders: readonly NeededFolder[];
  /** Throws `ZodError` if the section is invalid. */
  load(section: unknown): Promise<ProbeDriver>;
}

export interface NeededFolder {
  readonly path: string;
  readonly needs: 'write' | 'execute';
  /** The consequence of its absence, as a clause. */
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
