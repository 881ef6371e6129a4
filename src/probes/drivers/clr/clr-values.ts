/** The JSON forms of the values of .NET's types. */
import {
  character,
  decimal,
  flag,
  fraction,
  type Maker,
  plainText,
  wholeNumber,
  written,
} from '../../insight/arguments/scalar-rules.ts';
import { ARRAY, NULLABLE, type TypeUse } from '../../insight/arguments/type-text.ts';
import type { ContainerRule, ScalarRule, ValueTable } from '../../insight/arguments/value-table.ts';

const MAX_SPOKEN_DEPTH = 3;
const MAX_FLOAT = 3.4028235e38;
const MAX_DECIMAL = 7.9e28;

const parse = (name: string): Maker => ({ owner: `System.${name}`, by: 'Parse' });
const create = (name: string): Maker => ({ owner: `System.${name}`, by: 'new' });

function integer(name: string, bits: number, isSigned: boolean, rank: number): readonly [string, ScalarRule] {
  const size = 2n ** BigInt(bits - (isSigned ? 1 : 0));
  const traits = {
    maker: parse(name),
    takesText: bits === 64,
    isValue: true,
    rank: { whole: rank, fraction: rank + 16 },
  };
  return [`System.${name}`, wholeNumber([isSigned ? -size : 0n, size - 1n], traits)];
}

const DATE = '\\d{4}-\\d\\d-\\d\\d';
const TIME = '\\d\\d?:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?';
const OFFSET = '(?:Z|[+-]\\d\\d(?::\\d\\d)?)?';
/** Other formats of a date depend on the culture. */
const DATE_AND_TIME = new RegExp(`^${DATE}(?:[T ]${TIME} ?${OFFSET})?$`, 'i');

const SCALARS = new Map<string, ScalarRule>([
  // The order in which overloads are preferred for a whole number.
  integer('Int32', 32, true, 0),
  integer('Int64', 64, true, 1),
  integer('Int16', 16, true, 2),
  integer('Byte', 8, false, 3),
  integer('UInt32', 32, false, 4),
  integer('UInt64', 64, false, 5),
  integer('UInt16', 16, false, 6),
  integer('SByte', 8, true, 7),
  [
    'System.Double',
    fraction(Number.MAX_VALUE, {
      maker: parse('Double'),
      ...{ takesText: false, isValue: true, rank: { whole: 8, fraction: 0 } },
    }),
  ],
  [
    'System.Single',
    fraction(MAX_FLOAT, {
      maker: parse('Single'),
      ...{ takesText: false, isValue: true, rank: { whole: 9, fraction: 1 } },
    }),
  ],
  [
    'System.Decimal',
    decimal(MAX_DECIMAL, {
      maker: parse('Decimal'),
      ...{ takesText: true, isValue: true, rank: { whole: 10, fraction: 2 } },
    }),
  ],
  [
    'System.Numerics.BigInteger',
    wholeNumber(null, {
      maker: parse('Numerics.BigInteger'),
      ...{ takesText: true, isValue: true, rank: { whole: 11, fraction: 16 } },
    }),
  ],
  ['System.Boolean', flag(true, parse('Boolean'), 0)],
  ['System.Char', character(true, parse('Char'))],
  ['System.String', plainText(null, 0)],
  ['System.DateTime', written('a date and time such as 2024-05-31T18:30:00', DATE_AND_TIME, parse('DateTime'), true)],
  [
    'System.DateTimeOffset',
    written('a moment such as 2024-05-31T18:30:00+02:00', DATE_AND_TIME, parse('DateTimeOffset'), true),
  ],
  ['System.DateOnly', written('a date such as 2024-05-31', new RegExp(`^${DATE}$`), parse('DateOnly'), true)],
  ['System.TimeOnly', written('a time such as 18:30:00', /^\d\d?:\d\d[\d:.]*(?: ?[ap]m)?$/i, parse('TimeOnly'), true)],
  ['System.TimeSpan', written('a duration such as 01:30:00', /^\s*-?\d[\d.:]*\s*$/, parse('TimeSpan'), true)],
  [
    'System.Guid',
    written(
      'a GUID such as 123e4567-e89b-12d3-a456-426614174000',
      /^[\s{(]*(?:[\da-f]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})[\s})]*$/i,
      create('Guid'),
      true,
    ),
  ],
  ['System.Uri', written('an address such as https://example.com/', /^[^\0]+$/s, create('Uri'))],
  ['System.Version', written('a version such as 1.2.3', /^\d+(?:\.\d+){1,3}$/, create('Version'))],
  ['System.Net.IPAddress', written('an IP address such as 192.0.2.1', /^[\da-f.:%[\]x]+$/i, parse('Net.IPAddress'))],
  [
    'System.Globalization.CultureInfo',
    written('a language such as en-GB', /^[\w-]*$/, create('Globalization.CultureInfo')),
  ],
]);

const inCollections = (name: string) => `System.Collections.${name}`;
const list = (name: string, type: string): readonly [string, ContainerRule] => [
  inCollections(name),
  { is: 'list', type: inCollections(type), cost: type === 'Generic.List' ? 0 : 2, holdsNull: true },
];
const map = (name: string, type: string): readonly [string, ContainerRule] => [
  inCollections(name),
  { is: 'map', type: inCollections(type), cost: type === 'Generic.Dictionary' ? 0 : 2, holdsNull: true },
];

const CONTAINERS = new Map<string, ContainerRule>([
  ...'IEnumerable ICollection IList Generic.IEnumerable Generic.ICollection Generic.IList Generic.IReadOnlyCollection Generic.IReadOnlyList'
    .split(' ')
    .map((name) => list(name, 'Generic.List')),
  ...['Generic.ISet', 'Generic.IReadOnlySet'].map((name) => list(name, 'Generic.HashSet')),
  ...(
    'ArrayList Generic.List Generic.HashSet Generic.SortedSet Generic.Queue Generic.Stack Generic.LinkedList ' +
    'ObjectModel.Collection ObjectModel.ObservableCollection ObjectModel.ReadOnlyCollection Concurrent.ConcurrentQueue ' +
    'Concurrent.ConcurrentStack Concurrent.ConcurrentBag'
  )
    .split(' ')
    .map((name) => list(name, name)),
  ...['IDictionary', 'Generic.IDictionary', 'Generic.IReadOnlyDictionary'].map((name) =>
    map(name, 'Generic.Dictionary'),
  ),
  ...'Generic.Dictionary Generic.SortedDictionary Generic.SortedList Concurrent.ConcurrentDictionary'
    .split(' ')
    .map((name) => map(name, name)),
]);

const PARENTS = new Map<string, readonly string[]>(
  (
    [
      ['Generic.ICollection', 'Generic.IEnumerable'],
      ['Generic.IReadOnlyCollection', 'Generic.IEnumerable'],
      ['Generic.IList', 'Generic.ICollection'],
      ['Generic.IReadOnlyList', 'Generic.IReadOnlyCollection'],
      ['Generic.ISet', 'Generic.ICollection'],
      ['Generic.List', 'Generic.IList Generic.IReadOnlyList'],
      ['Generic.HashSet', 'Generic.ISet Generic.IReadOnlyCollection'],
      ['Generic.IDictionary', 'Generic.ICollection'],
      ['Generic.Dictionary', 'Generic.IDictionary Generic.IReadOnlyDictionary'],
    ] as const
  ).map(([name, parents]) => [inCollections(name), parents.split(' ').map(inCollections)]),
);

const KEYWORDS: Readonly<Record<string, string>> = {
  'System.Void': 'void',
  'System.Object': 'object',
  'System.String': 'string',
  'System.Boolean': 'bool',
  'System.Char': 'char',
  'System.SByte': 'sbyte',
  'System.Byte': 'byte',
  'System.Int16': 'short',
  'System.UInt16': 'ushort',
  'System.Int32': 'int',
  'System.UInt32': 'uint',
  'System.Int64': 'long',
  'System.UInt64': 'ulong',
  'System.Single': 'float',
  'System.Double': 'double',
  'System.Decimal': 'decimal',
};

export const CLR_VALUES: ValueTable = {
  scalars: SCALARS,
  containers: CONTAINERS,
  open: new Map([['System.Object', 'all']]),
  openCost: 40,
  optionals: new Set(),
  tuples: new Set(['System.Tuple', 'System.ValueTuple']),
  character: 'System.Char',
  isEnumValue: true,
  isTupleValue: (name) => name === 'System.ValueTuple',
  primitives: new Set(),
  parents: PARENTS,
  isErased: false,
  needsEmptyConstructor: false,
  ignoresCase: true,
  member: 'member',
  nothing: new Set(['System.Void']),
  event: 'System.EventArgs',
  spoken: (use) => spoken(use, 0),
};

/** The type in C# syntax, without namespaces: `List<Item>`, `int?`, `string[]`. */
function spoken({ name, of }: TypeUse, depth: number): string {
  const parts = () => of.map((part) => spoken(part, depth + 1));
  const [inner] = of;
  if (name === NULLABLE && inner) return `${spoken(inner, depth)}?`;
  if (name === ARRAY) return `${parts().join('')}[]`;
  const simple = KEYWORDS[name] ?? name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('+')) + 1);
  if (of.length === 0 || depth > MAX_SPOKEN_DEPTH) return simple;
  return name === 'System.ValueTuple' ? `(${parts().join(', ')})` : `${simple}<${parts().join(', ')}>`;
}
