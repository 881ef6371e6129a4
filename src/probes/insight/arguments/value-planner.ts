/**
 * Plans how to make the arguments of a method from JSON. Everything is checked here, before any code of the app runs.
 */
import { isRecord } from '../../../model/record.ts';
import { type Fit, type MadeValue, UnfitValueError } from './made-value.ts';
import type { TypeDefinition } from './type-definition.ts';
import { ARRAY, NULLABLE, parseType, substitute, type TypeUse } from './type-text.ts';
import { given, joined, keyOf, oneOf, withArticle } from './type-words.ts';
import type { ContainerRule, ScalarRule, ValueTable } from './value-table.ts';

const REFERENCE = '$ref';
const REFERENCE_TEXT = '[ref] ';
const MAX_DEPTH = 50;

/** The known types of the app, and the objects that arguments name. */
export interface KnownTypes {
  definition(key: string): TypeDefinition | undefined;
  /** Undefined if it was not asked for yet, null if there is no such object. */
  named(path: string): { readonly name: string; readonly lineage: readonly string[] } | null | undefined;
}

type Constructor = TypeDefinition['constructors'][number];

export class ValuePlanner {
  private readonly table: ValueTable;
  private readonly known: KnownTypes;
  /** More values may fit once these types and paths are known. */
  readonly unknown = { types: new Set<string>(), paths: new Set<string>() };

  constructor(table: ValueTable, known: KnownTypes) {
    this.table = table;
    this.known = known;
  }

  plan(json: unknown, use: TypeUse, where: string, isKey = false, depth = 0): Fit {
    const { table } = this;
    const { name, of } = use;
    const [inner] = of;
    if (depth > MAX_DEPTH) throw new UnfitValueError(`${where} is nested too deeply`);
    if (table.optionals.has(name)) return this.optional(json, use, where, depth);
    if (name === NULLABLE && inner) return json === null ? NULL : this.plan(json, inner, where, isKey, depth);
    const reference = this.reference(json, use, where);
    if (reference) return reference;
    const scalar = table.scalars.get(name);
    if (scalar) return readScalar(scalar, json, where, isKey);
    const open = table.open.get(name);
    if (open && (json === null || isTaken(json, open)))
      return json === null ? NULL : { value: { is: 'json', json }, cost: table.openCost };
    if (open)
      throw new UnfitValueError(`${where} is ${given(json)}; expected ${open === 'numbers' ? 'a number' : 'a value'}`);
    if (table.tuples.has(name)) return this.tuple(json, use, where, depth);
    const container = table.containers.get(name);
    if (json === null && (name === ARRAY || container)) return NULL;
    if (name === ARRAY && inner) return this.array(json, inner, where, depth);
    if (container?.is === 'list') return this.list(json, use, container, where, depth);
    if (container) return this.map(json, use, container, where, depth);
    return this.ofApp(json, use, where, depth);
  }

  private ofApp(json: unknown, use: TypeUse, where: string, depth: number): Fit {
    const key = keyOf(use, this.table);
    const definition = this.known.definition(key);
    if (definition === undefined) {
      this.unknown.types.add(key);
      if (json === null) return NULL;
      throw new UnfitValueError(`${where} takes ${withArticle(use.name)}, which JSON cannot say`);
    }
    const { kind } = definition;
    if (json === null) {
      const wanted = kind === 'enum' ? oneOf(definition) : withArticle(this.table.spoken(use));
      if (kind === 'value' || (kind === 'enum' && this.table.isEnumValue))
        throw new UnfitValueError(`${where} is null; expected ${wanted}`);
      return NULL;
    }
    return kind === 'enum'
      ? enumConstant(json, definition, where, this.table)
      : this.object(json, use, definition, where, depth);
  }

  /** `[ref] shop.users.ann` or {"$ref": "shop.users.ann"}: the object that the state shows there. */
  private reference(json: unknown, use: TypeUse, where: string): Fit | null {
    const path = pathIn(json);
    const scalar = this.table.scalars.get(use.name);
    const open = this.table.open.get(use.name);
    // The parameter takes any text, so this may be meant as text.
    const isText = typeof json === 'string' && (open === 'all' || open === 'scalars');
    if (path === null || (scalar?.json === 'string' && !scalar.isHinted) || scalar?.isValue || isText) return null;
    const found = this.known.named(path);
    const none = `${where} names ${path}, which is no object of the state`;
    if (found === undefined) this.unknown.paths.add(path);
    if (found === undefined || found === null) throw new UnfitValueError(none);
    const key = keyOf(use, this.table);
    if (open === 'all' || found.lineage.includes(key))
      return { value: { is: 'object', path, otherwise: none }, cost: 0 };
    const is = `${where} names ${path}, ${withArticle(found.name)}`;
    throw new UnfitValueError(`${is}; expected ${withArticle(key)}`);
  }

  private optional(json: unknown, { name, of }: TypeUse, where: string, depth: number): Fit {
    const otherwise = `${where} cannot be made`;
    const call = (by: string, values: readonly MadeValue[]): MadeValue => ({
      is: 'call',
      owner: name,
      by,
      of: values,
      otherwise,
    });
    const [inner] = of;
    if (json === null) return { value: call('empty', []), cost: 1 };
    const fit = this.plan(json, inner ?? anything(this.table), where, false, depth + 1);
    return { value: call('ofNullable', [fit.value]), cost: fit.cost + 1 };
  }

  private array(json: unknown, element: TypeUse, where: string, depth: number): Fit {
    const otherwise = `${where} cannot hold these values`;
    if (element.name === this.table.character && typeof json === 'string') {
      const rule = this.table.scalars.get(element.name);
      const values = json.split('').map((each) => rule?.read(each, otherwise, false)?.value ?? null);
      return { value: { is: 'list', type: null, of: values, otherwise }, cost: 5 };
    }
    const elements = this.elements(json, element, where, depth);
    return { value: { is: 'list', type: null, of: valuesOf(elements), otherwise }, cost: costOf(elements) };
  }

  private list(json: unknown, { of: [element] }: TypeUse, rule: ContainerRule, where: string, depth: number): Fit {
    const elements = this.elements(json, element ?? anything(this.table), where, depth);
    refuseNull(elements, rule, where);
    const otherwise = `${where} cannot hold these values`;
    return {
      value: { is: 'list', type: rule.type, of: valuesOf(elements), otherwise },
      cost: costOf(elements) + rule.cost,
    };
  }

  private elements(json: unknown, element: TypeUse, where: string, depth: number): Fit[] {
    if (!Array.isArray(json)) throw new UnfitValueError(`${where} is ${given(json)}; expected an array`);
    return json.map((each: unknown, at) => this.plan(each ?? null, element, `${where}[${at}]`, false, depth + 1));
  }

  private map(json: unknown, { of }: TypeUse, rule: ContainerRule, where: string, depth: number): Fit {
    if (!isRecord(json)) throw new UnfitValueError(`${where} is ${given(json)}; expected an object`);
    const [key = anything(this.table), value = anything(this.table)] = of;
    const keys: Fit[] = [];
    const values: Fit[] = [];
    for (const [name, each] of Object.entries(json)) {
      keys.push(this.plan(name, key, `the key ${given(name)} of ${where}`, true, depth + 1));
      values.push(this.plan(each ?? null, value, `${where}.${name}`, false, depth + 1));
    }
    refuseNull(values, rule, where);
    const otherwise = `${where} cannot hold these values`;
    return {
      value: { is: 'map', type: rule.type, keys: valuesOf(keys), of: valuesOf(values), otherwise },
      cost: Math.max(costOf(keys), costOf(values)) + rule.cost,
    };
  }

  private tuple(json: unknown, { name, of }: TypeUse, where: string, depth: number): Fit {
    if (json === null && !this.table.isTupleValue(name)) return NULL;
    if (!Array.isArray(json) || json.length !== of.length) {
      const what = Array.isArray(json) ? `an array of ${json.length}` : given(json);
      throw new UnfitValueError(`${where} is ${what}; expected an array of ${of.length}`);
    }
    const items = of.map((use, at) => this.plan(json[at] ?? null, use, `${where}[${at}]`, false, depth + 1));
    const value: MadeValue = { is: 'new', key: null, of: valuesOf(items), set: [] };
    return { value, cost: costOf(items) + 1 };
  }

  private object(json: unknown, use: TypeUse, definition: TypeDefinition, where: string, depth: number): Fit {
    const a = withArticle(this.table.spoken(use));
    const { kind } = definition;
    const name = 'name an object of the state, {"$ref": "its path"}';
    if (kind === 'interface' || kind === 'abstract')
      throw new UnfitValueError(
        `${where} takes ${a}, ${kind === 'interface' ? 'an interface' : 'an abstract class'}: ${name}`,
      );
    if (!isRecord(json)) throw new UnfitValueError(`${where} is ${given(json)}; expected an object for ${a}`);
    const meanings = new Map(definition.variables.flatMap((each, at) => (use.of[at] ? [[each, use.of[at]]] : [])));
    const { ways, members } = this.waysToMake(definition);
    if (ways.length === 0) {
      const why = this.table.needsEmptyConstructor
        ? 'which has no constructor whose parameters are known'
        : `which has no public constructor: ${name}`;
      throw new UnfitValueError(`${where} takes ${a}, ${why}`);
    }
    let best: Fit | null = null;
    let refusal: UnfitValueError | null = null;
    for (const way of ways) {
      if (!Object.keys(json).every((each) => this.find(way.parameters ?? [], each) ?? this.find(members, each)))
        continue;
      try {
        const fit = this.byConstructor(json, way, members, meanings, where, depth);
        if (best === null || fit.cost < best.cost) best = fit;
      } catch (error) {
        if (!(error instanceof UnfitValueError)) throw error;
        refusal = error;
      }
    }
    if (best !== null) return best;
    throw refusal ?? this.unknownName(json, ways, members, where, a);
  }

  private waysToMake({ constructors, members, kind }: TypeDefinition) {
    const empty = constructors.find(({ parameters }) => parameters?.length === 0);
    if (!this.table.needsEmptyConstructor)
      return { ways: kind === 'value' ? [...constructors, NO_CONSTRUCTOR] : constructors, members };
    if (empty) return { ways: [empty], members };
    return { ways: constructors.filter(({ parameters }) => parameters !== null), members: [] };
  }

  private byConstructor(
    json: Readonly<Record<string, unknown>>,
    { key, parameters }: Pick<Constructor, 'parameters'> & { readonly key: string | null },
    members: TypeDefinition['members'],
    meanings: ReadonlyMap<string, TypeUse>,
    where: string,
    depth: number,
  ): Fit {
    const left = new Map(Object.entries(json));
    const plan = (value: unknown, type: string, name: string): Fit => {
      const parsed = parseType(type);
      if (parsed === null) throw new UnfitValueError(`${where}.${name} has a type that JSON cannot say`);
      return this.plan(value ?? null, substitute(parsed, meanings), `${where}.${name}`, false, depth + 1);
    };
    const values = (parameters ?? []).map(({ name, type, isOptional }): Fit => {
      const said = this.nameIn(left, name);
      const value = left.get(said ?? name);
      if (said !== null) left.delete(said);
      if (said !== null) return plan(value, type, said);
      if (isOptional) return { value: { is: 'default' }, cost: 1 };
      const isEmpty = this.table.optionals.has(parseType(type)?.name ?? '');
      if (!isEmpty) throw new UnfitValueError(`${where}.${name} is missing`);
      return plan(null, type, name);
    });
    const set: (readonly [string, MadeValue])[] = [];
    const later: Fit[] = [];
    for (const [said, value] of left) {
      const member = this.find(members, said);
      if (member === undefined) continue;
      const fit = plan(value, member.type, said);
      later.push(fit);
      set.push([member.name, fit.value]);
    }
    const cost = Math.max(costOf(values), costOf(later)) + 2;
    return { value: { is: 'new', key, of: valuesOf(values), set }, cost };
  }

  private find<Named extends { readonly name: string }>(all: readonly Named[], name: string): Named | undefined {
    const exact = all.find((each) => each.name === name);
    if (exact || !this.table.ignoresCase) return exact;
    return all.find((each) => each.name.toLowerCase() === name.toLowerCase());
  }

  private nameIn(given: ReadonlyMap<string, unknown>, name: string): string | null {
    return (
      this.find(
        [...given.keys()].map((each) => ({ name: each })),
        name,
      )?.name ?? null
    );
  }

  private unknownName(
    json: Readonly<Record<string, unknown>>,
    ways: readonly Pick<Constructor, 'parameters'>[],
    members: TypeDefinition['members'],
    where: string,
    a: string,
  ): UnfitValueError {
    const { needsEmptyConstructor, member } = this.table;
    if (needsEmptyConstructor && members.length === 0) {
      const made = ways.map(({ parameters }) => `[${(parameters ?? []).map(({ name }) => name).join(', ')}]`);
      return new UnfitValueError(`${where} takes ${a}, made of ${joined(made)}`);
    }
    const names = members.map(({ name }) => name);
    for (const { parameters } of ways)
      for (const { name } of parameters ?? [])
        if (
          !this.find(
            names.map((each) => ({ name: each })),
            name,
          )
        )
          names.push(name);
    const other = Object.keys(json).find(
      (each) =>
        !this.find(
          names.map((name) => ({ name })),
          each,
        ),
    );
    if (other === undefined) return new UnfitValueError(`${where} takes ${a}, which cannot be made of these together`);
    return new UnfitValueError(`${where} has no ${member} ${other}; it has ${joined(names)}`);
  }
}

const NULL: Fit = { value: null, cost: 0 };
const NO_CONSTRUCTOR = { key: null, parameters: [] };

/** The element type to assume if a type does not name one. */
function anything({ open }: ValueTable): TypeUse {
  const [name = ''] = open.keys();
  return { name, of: [], variable: null };
}

function readScalar(rule: ScalarRule, json: unknown, where: string, isKey: boolean): Fit {
  if (json === null && rule.empty !== undefined) return { value: rule.empty, cost: 1 };
  if (json === null && !rule.isValue) return NULL;
  const refusal = `${where} is ${given(json)}; expected ${rule.wanted}`;
  const fit = json === null ? null : rule.read(json, refusal, isKey);
  if (fit === null) throw new UnfitValueError(refusal);
  return fit;
}

function enumConstant(json: unknown, definition: TypeDefinition, where: string, { isEnumValue }: ValueTable): Fit {
  const constant = isEnumValue ? numberedConstant(json, definition) : namedConstant(json, definition);
  if (constant !== null) return { value: { is: 'constant', constant }, cost: typeof json === 'string' ? 4 : 9 };
  throw new UnfitValueError(`${where} is ${given(json)}; expected ${oneOf(definition)}`);
}

function namedConstant(json: unknown, { constants }: TypeDefinition): string | null {
  return constants.find(([name]) => name === json)?.[0] ?? null;
}

/** A constant of .NET by its name or number. Flags can be combined: `Read, Write`. */
function numberedConstant(json: unknown, { constants, isFlags }: TypeDefinition): string | null {
  if (typeof json === 'number') return constants.find(([, number]) => number === String(json))?.[1] ?? null;
  if (typeof json !== 'string') return null;
  const names = json.split(',').map((name) => name.trim());
  if (names.length > 1 && !isFlags) return null;
  let sum = 0n;
  for (const name of names) {
    const lower = name.toLowerCase();
    const found =
      constants.find((each) => each[0] === name) ?? constants.find((each) => each[0].toLowerCase() === lower);
    if (found === undefined || found[1] === null) return null;
    sum |= BigInt(found[1]);
  }
  return String(sum);
}

function isTaken(json: unknown, open: 'all' | 'scalars' | 'numbers'): boolean {
  if (open === 'all') return true;
  return open === 'numbers' ? typeof json === 'number' : typeof json !== 'object';
}

/** The path of the object that a value refers to. */
function pathIn(json: unknown): string | null {
  if (typeof json === 'string') return json.startsWith(REFERENCE_TEXT) ? json.slice(REFERENCE_TEXT.length) : null;
  if (!isRecord(json) || Object.keys(json).length !== 1) return null;
  const named = json[REFERENCE];
  return typeof named === 'string' ? named : null;
}

function valuesOf(fits: readonly Fit[]): MadeValue[] {
  return fits.map(({ value }) => value);
}

function costOf(fits: readonly Fit[]): number {
  return fits.reduce((cost, fit) => Math.max(cost, fit.cost + 1), 1);
}

function refuseNull(values: readonly Fit[], { holdsNull }: ContainerRule, where: string): void {
  if (!holdsNull && values.some(({ value }) => value === null)) throw new UnfitValueError(`${where} cannot hold null`);
}
