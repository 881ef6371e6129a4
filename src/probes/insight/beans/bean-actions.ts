/**
 * Turns the operations and settable attributes of management beans into actions. Beans of one type share their actions.
 */
import { joinPath } from '../../../model/path.ts';
import type { Effect, RawAction, RawParameter } from '../../../model/raw-action.ts';
import { parseType, type TypeUse } from '../arguments/type-text.ts';
import { jsonTypeOf } from '../arguments/type-words.ts';
import type { ValueTable } from '../arguments/value-table.ts';
import type { MethodKey } from '../methods/method-call.ts';
import { joinParameters } from '../methods/method-parameters.ts';
import { NameAllocator } from '../name-allocator.ts';
import type { Bean, BeanFacts, BeanKind } from './bean-facts.ts';
import type { BeanOperation } from './bean-operation.ts';
import { methodKey } from './method-key.ts';

export const BEAN_SCHEME = 'jmx:';
const BEAN = 'bean';
/** More beans of one type than this share one action with a parameter for the bean. */
const MAX_SINGLE = 3;
const MAX_ACTIONS = 200;
const MAX_NAMES = 30;
const MAX_LISTED = 900;
const MAX_DESCRIPTION = 1000;
const MAX_SAID = 300;
const MAX_NAME = 1000;
const PRIMITIVES: Readonly<Record<string, string>> = {
  ...{ I: 'int', J: 'long', S: 'short', B: 'byte', D: 'double', F: 'float', Z: 'boolean', C: 'char' },
};
/** Names such as `p0` that carry no information. */
const GENERIC = /^(?:\d*|(?:p|arg|param)\d+)$/i;
const OF_PLATFORM = /^(?:Attribute|Operation) exposed for management/;

type Operation = BeanKind['operations'][number];
/** Joins the parameter names of an operation, sorted. */
type Namer = (operation: Operation) => string;

/** The beans and the member that an action calls. */
export interface BeanTarget {
  /** By the part of its name that differs from others of its type; a single bean has the empty key. */
  readonly beans: ReadonlyMap<string, Bean>;
  readonly name: string;
  /** Null for an operation; else the attribute to set. */
  readonly attribute: string | null;
  readonly operations: readonly BeanOperation[];
  readonly isVoid: boolean;
}

interface Offer {
  readonly beans: ReadonlyMap<string, Bean>;
  /** The classes that declare its operations; null stands for a bean whose class is not certain. */
  readonly types: ReadonlySet<number | null>;
  readonly any: Bean;
  /** The number of leading segments that all of them share. */
  readonly shared: number;
  readonly attribute: BeanKind['attributes'][number] | null;
  readonly overloads: readonly Operation[];
}

export class BeanActions {
  readonly targets = new Map<string, BeanTarget>();
  /** Actions whose code decides have the effect `unjudged`. */
  private readonly listed: readonly RawAction[];
  /** The methods that an action may run, by its binding. */
  private readonly methods = new Map<string, readonly MethodKey[]>();
  private readonly table: ValueTable;
  private readonly names = new NameAllocator();

  constructor({ kinds, beans }: BeanFacts, table: ValueTable) {
    this.table = table;
    const byType = new Map<string, Bean[]>();
    for (const bean of beans) {
      const type = bean.segments.slice(0, 2).join(' ');
      byType.set(type, [...(byType.get(type) ?? []), bean]);
    }
    const namesOfParameters = ({ parameters }: Operation) => this.parameterNames(parameters).sort().join(' ');
    const kindOf = ({ kind }: Bean): BeanKind => kinds[kind] ?? { attributes: [], operations: [], type: null };
    const offers = [...byType.values()].flatMap((alike) =>
      alike.length > MAX_SINGLE
        ? ofMany(alike, kindOf, namesOfParameters)
        : alike.flatMap((bean) =>
            offersOf(kindOf(bean), new Map([['', bean]]), bean, bean.segments.length, namesOfParameters),
          ),
    );
    const ordered = [...offers.filter((each) => !each.attribute), ...offers.filter((each) => each.attribute)];
    this.listed = ordered.flatMap((offer) => this.actionsOf(offer)).slice(0, MAX_ACTIONS);
  }

  /** All methods whose code must be judged. */
  get judgedBy(): readonly MethodKey[] {
    return [...this.methods.values()].flat();
  }

  methodsOf(binding: string): readonly MethodKey[] {
    return this.methods.get(binding) ?? [];
  }

  /** `worstOf`: the worst effect of these methods; null if it is not known yet. */
  actions(worstOf: (methods: readonly MethodKey[]) => Effect | null): readonly RawAction[] {
    return this.listed.map((action) =>
      action.effect === 'unjudged'
        ? { ...action, effect: worstOf(this.methodsOf(action.binding)) ?? 'unjudged' }
        : action,
    );
  }

  /** The operation's own description decides first, then its code. */
  private effectOf(binding: string, { types, attribute, overloads }: Offer): Effect {
    if (attribute) return 'setter';
    if (overloads.every(({ isReading }) => isReading)) return 'none';
    const keys = overloads.map(methodKey);
    const methods = [...types].flatMap((type) =>
      keys.flatMap((key) => (type === null || key === null ? [] : [[type, key] as const])),
    );
    if (methods.length < types.size * keys.length) return 'unknown';
    this.methods.set(binding, methods);
    return 'unjudged';
  }

  private actionsOf(offer: Offer): RawAction[] {
    const { beans, any, shared, attribute, overloads } = offer;
    const operations = attribute
      ? [{ names: ['value'], types: [typeText(attribute.type)], ownTypes: [attribute.type] }]
      : overloads.map(({ parameters }) => ({
          names: this.parameterNames(parameters),
          types: parameters.map(({ type }) => typeText(type)),
          ownTypes: parameters.map(({ type }) => type),
        }));
    const uses = operations.map(({ types }) => types.map(parseType));
    if (uses.some((types) => types.some((use) => use === null || use.name.startsWith('javax.management.openmbean.'))))
      return [];
    const own = operations.map(({ names }, at) =>
      names.map((name, index) =>
        this.parameter(name, uses[at]?.[index], overloads[at]?.parameters[index]?.description),
      ),
    );
    const last = attribute ? `set_${attribute.name}` : (overloads[0]?.name ?? '');
    const path = [...any.segments.slice(0, shared), last].reduce<string>(joinPath, 'jmx');
    if (path.length > MAX_NAME) return [];
    const name = this.names.take(path);
    const binding = `${BEAN_SCHEME}${name}`;
    const returns = attribute ? 'void' : this.returned(overloads[0]?.returns ?? 'void');
    const isVoid = returns === 'void';
    this.targets.set(binding, { beans, name: last, attribute: attribute?.name ?? null, operations, isVoid });
    const which: RawParameter = {
      ...{ name: BEAN, type: 'string', required: true, isChecked: true },
      description: namesOf([...beans.keys()]),
    };
    return [
      {
        binding,
        name,
        parameters: [...(beans.has('') ? [] : [which]), ...joinParameters(own)],
        returns,
        effect: this.effectOf(binding, offer),
        description: describe(any, beans.size, attribute, overloads[0]),
      },
    ];
  }

  private parameter(
    name: string,
    use: TypeUse | null | undefined,
    description: string | null | undefined,
  ): RawParameter {
    const words = said(description ?? null, name);
    return {
      name,
      type: (use && jsonTypeOf(use, this.table, () => undefined)) ?? 'any',
      required: true,
      isChecked: true,
      ...(words === null ? {} : { description: words }),
    };
  }

  /** The name that the bean gives, or one made from the type if that says nothing. */
  private parameterNames(parameters: Operation['parameters']): string[] {
    const taken = new Set<string>();
    return parameters.map(({ name, type }) => {
      const given = name?.trim() ?? '';
      const wanted = GENERIC.test(given) ? this.nameOfType(typeText(type)) : given;
      // The name `bean` is taken by the parameter that selects the bean.
      const base = wanted === BEAN ? 'whichBean' : wanted;
      let free = base;
      for (let number = 2; taken.has(free); number++) free = `${base}${number}`;
      taken.add(free);
      return free;
    });
  }

  private nameOfType(type: string): string {
    const use = parseType(type);
    const json = use && jsonTypeOf(use, this.table, () => undefined);
    if (json === 'number') return 'number';
    if (json === 'boolean') return 'flag';
    if (json === 'array') return 'values';
    if (type === 'java.lang.String') return 'text';
    const simple = use ? this.table.spoken(use) : '';
    return simple === '' ? 'value' : simple.slice(0, 1).toLowerCase() + simple.slice(1);
  }

  private returned(type: string): RawAction['returns'] {
    const use = parseType(typeText(type));
    if (use === null) return 'unknown';
    return this.table.nothing.has(use.name) ? 'void' : (jsonTypeOf(use, this.table, () => undefined) ?? 'unknown');
  }
}

/** The type in the notation of type-text.ts: `java.lang.String[]`. */
function typeText(type: string): string {
  const [, depth = '', letter = '', name = ''] = /^(\[+)(?:L(?=.*;$)|([A-Z])$)(.*?);?$/.exec(type) ?? [];
  return depth === '' ? type : `${PRIMITIVES[letter] ?? name}${'[]'.repeat(depth.length)}`;
}

function offersOf(
  { attributes, operations, type }: BeanKind,
  beans: ReadonlyMap<string, Bean>,
  any: Bean,
  shared: number,
  namer: Namer,
): Offer[] {
  const base = { beans, any, shared, types: new Set([type]) };
  return [
    ...overloadsOf(operations, namer).map((overloads): Offer => ({ ...base, attribute: null, overloads })),
    ...attributes.map((attribute): Offer => ({ ...base, attribute, overloads: [] })),
  ];
}

function ofMany(alike: readonly Bean[], kindOf: (bean: Bean) => BeanKind, namer: Namer): Offer[] {
  const having = new Map<string, { offer: Offer; beans: Map<string, Bean>; types: Set<number | null> }>();
  for (const bean of alike) {
    for (const offer of offersOf(kindOf(bean), new Map(), bean, Math.min(2, bean.segments.length), namer)) {
      const { attribute, overloads } = offer;
      const key = attribute ? `${attribute.name} ${attribute.type}` : overloads.map(signatureOf).join(' ');
      const known = having.get(key) ?? { offer, beans: new Map<string, Bean>(), types: new Set<number | null>() };
      for (const type of offer.types) known.types.add(type);
      const own = bean.segments.slice(2).join(' / ');
      known.beans.set(own === '' || known.beans.has(own) ? bean.name : own, bean);
      having.set(key, known);
    }
  }
  return [...having.values()].map(({ offer, beans, types }) => ({ ...offer, beans, types }));
}

/**
 * Operations of one name that differ in their parameters. The order is sorted, because that of the bean may differ at
 * each start.
 */
function overloadsOf(operations: readonly Operation[], namer: Namer): Operation[][] {
  const sorted = [...operations].sort(
    (one, other) =>
      compare(one.name, other.name) ||
      one.parameters.length - other.parameters.length ||
      compare(signatureOf(one), signatureOf(other)),
  );
  const found: Operation[][] = [];
  for (const operation of sorted) {
    const home = found.find(
      ([first, ...more]) =>
        first?.name === operation.name && [first, ...more].every((each) => namer(each) !== namer(operation)),
    );
    if (home) home.push(operation);
    else found.push([operation]);
  }
  return found;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function signatureOf({ name, parameters }: Operation): string {
  return `${name}(${parameters.map(({ type }) => type).join(',')})`;
}

function namesOf(names: readonly string[]): string {
  if (names.length > MAX_NAMES) return `the name of one of ${names.length} beans, as the state has it`;
  const text = `one of: ${names.join(' | ')}`;
  return text.length > MAX_LISTED ? `${text.slice(0, MAX_LISTED)}…` : text;
}

function describe(any: Bean, count: number, attribute: Offer['attribute'], operation: Operation | undefined): string {
  const name = attribute?.name ?? operation?.name ?? '';
  const own = said((attribute ?? operation)?.description ?? null, name);
  const what = attribute ? `Sets the attribute ${name}` : `Calls the operation ${name}`;
  const of = count > 1 ? `of one of ${count} management beans` : `of the management bean ${any.spoken}`;
  const text = `${what} ${of}${own === null ? '' : `: ${own}`}`;
  return text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION)}…` : text;
}

/** Null if it only repeats the name, or is the default text of the JDK. */
function said(description: string | null, name: string): string | null {
  if (description === null || description === name || GENERIC.test(description.trim())) return null;
  if (OF_PLATFORM.test(description)) return null;
  return description.length > MAX_SAID ? `${description.slice(0, MAX_SAID)}…` : description;
}
