/**
 * Facts about methods, kept between starts of the daemon. Those of a type are valid for its name and the hash of its
 * files; effects for the code that was loaded when they were judged.
 */
import * as z from 'zod';
import type { CodeEffect } from '../../../model/raw-action.ts';
import { type TypeDefinition, typeDefinition } from '../arguments/type-definition.ts';
import { parseType, type TypeUse } from '../arguments/type-text.ts';
import { keyOf } from '../arguments/type-words.ts';
import type { ValueTable } from '../arguments/value-table.ts';
import { type CodeStamp, codeStamp, type TypeFacts, type TypeMethods, typeMethods } from './method-facts.ts';

const FORMAT = 1;
const MAX_TYPES = 2000;
const MAX_METHODS = 10_000;
const MAX_DEFINITIONS = 5000;
const text = (max: number) => z.string().max(max);
const effect: z.ZodType<CodeEffect> = z.enum(['none', 'setter', 'own-state', 'unknown']);

const keptFacts = z.object({
  format: z.literal(FORMAT),
  /** The version of the agent, since another one may report other facts. */
  version: text(200),
  types: z.array(typeMethods.extend({ name: text(2000), hash: text(1000) })).max(MAX_TYPES),
  definitions: z.array(typeDefinition).max(MAX_DEFINITIONS),
  /** By the names of types, then by the keys of methods. */
  effects: z
    .object({ stamp: codeStamp, of: z.array(z.tuple([text(2000), z.array(z.tuple([text(8000), effect])).max(5000)])) })
    .nullable(),
});
type Kept = z.infer<typeof keptFacts>;
/** Java classes that come from no file. */
const MADE_AT_RUN_TIME = /\$\$|\//;
type KeptType = Kept['types'][number];

export class KeptFacts {
  private readonly version: string;
  private readonly table: ValueTable;
  /** By name, the newest last. */
  private readonly types = new Map<string, KeptType>();
  private readonly definitions = new Map<string, TypeDefinition>();
  private effects: Kept['effects'] = null;
  private byMethod = new Map<string, ReadonlyMap<string, CodeEffect>>();
  /** The hashes of the files that the program has now. */
  private readonly seen = new Set<string>();

  /** `stored`: the parsed file. Content that cannot be used is ignored. */
  constructor(stored: unknown, version: string, table: ValueTable) {
    this.version = version;
    this.table = table;
    const parsed = keptFacts.safeParse(stored);
    if (!parsed.success || parsed.data.version !== version) return;
    for (const type of parsed.data.types) this.types.set(type.name, type);
    for (const definition of parsed.data.definitions) this.definitions.set(definition.name, definition);
    this.takeEffects(parsed.data.effects);
  }

  get hasEffects(): boolean {
    return this.effects !== null;
  }

  /** Notes the files of the program; to be called before any lookup. */
  see(types: readonly TypeFacts[]): void {
    for (const { hash } of types) for (const part of hash?.split('+') ?? []) this.seen.add(part);
  }

  /** Null if the agent has to be asked. Else the methods, with the definitions of the types they need. */
  find({ name, hash }: TypeFacts): { methods: TypeMethods; definitions: readonly TypeDefinition[] } | null {
    const kept = this.types.get(name);
    if (kept === undefined || hash === null || kept.hash !== hash) return null;
    const needed = new Map<string, TypeDefinition>();
    const uses = kept.methods.flatMap(({ parameters, returns }) =>
      [...parameters.map(({ type }) => type), returns.brings ?? returns.type].map(parseType),
    );
    if (!uses.every((use) => this.collect(needed, use))) return null;
    return { methods: kept, definitions: [...needed.values()] };
  }

  /** Returns false if one comes from a file that may have changed. */
  private collect(needed: Map<string, TypeDefinition>, use: TypeUse | null): boolean {
    if (use === null || !use.of.every((each) => this.collect(needed, each))) return use !== null;
    const definition = this.definitions.get(keyOf(use, this.table));
    if (definition === undefined || needed.has(definition.name)) return true;
    if (definition.hash === null || !this.isSeen(definition.hash)) return false;
    needed.set(definition.name, definition);
    return definition.constructors.every(({ parameters }) =>
      (parameters ?? []).every(({ type }) => this.collect(needed, parseType(type))),
    );
  }

  /** Types of the platform come from no file of the app. */
  private isSeen(hash: string): boolean {
    return hash === '' || hash.split('+').every((part) => this.seen.has(part));
  }

  /** Undefined if it is not known, or was judged in other files. `isSame`: exactly this code was loaded then. */
  effectOf(type: string, key: string, stamp: CodeStamp | null): { effect: CodeEffect; isSame: boolean } | undefined {
    const known =
      stamp !== null && this.effects?.stamp.files === stamp.files ? this.byMethod.get(type)?.get(key) : undefined;
    return known && { effect: known, isSame: stamp?.loaded !== '' && this.effects?.stamp.loaded === stamp?.loaded };
  }

  /** Returns false if the type could not be recognised later. */
  keepType({ name, hash }: TypeFacts, { lineage, isValue, isEnum, methods }: TypeMethods): boolean {
    if (hash === null || MADE_AT_RUN_TIME.test(name)) return false;
    this.types.delete(name);
    this.types.set(name, { name, hash, lineage, isValue, isEnum, methods });
    return true;
  }

  keepDefinition(definition: TypeDefinition): void {
    if (definition.hash !== null) this.definitions.set(definition.name, definition);
  }

  /** `stamp`: null if it is unknown. */
  keepEffects(stamp: CodeStamp | null, of: ReadonlyMap<string, ReadonlyMap<string, CodeEffect>>): void {
    this.takeEffects(stamp && { stamp, of: [...of].map(([type, methods]) => [type, [...methods]]) });
  }

  private takeEffects(effects: Kept['effects']): void {
    this.effects = effects;
    this.byMethod = new Map(effects?.of.map(([type, methods]) => [type, new Map(methods)]));
  }

  /** The newest types, as many as there is room for. */
  get stored(): Kept {
    let left = MAX_METHODS;
    const types: KeptType[] = [];
    for (const type of [...this.types.values()].reverse()) {
      left -= type.methods.length;
      if (left < 0 || types.length === MAX_TYPES) break;
      types.unshift(type);
    }
    const definitions = [...this.definitions.values()].slice(-MAX_DEFINITIONS);
    return { format: FORMAT, version: this.version, types, definitions, effects: this.effects };
  }
}
