/** The JSON forms of the values of Java's own types. */
import type { MadeValue } from '../../insight/arguments/made-value.ts';
import {
  character,
  decimal,
  flag,
  fraction,
  type Maker,
  made,
  plainText,
  wholeNumber,
  written,
} from '../../insight/arguments/scalar-rules.ts';
import { ARRAY, type TypeUse } from '../../insight/arguments/type-text.ts';
import type { ContainerRule, ScalarRule, ValueTable } from '../../insight/arguments/value-table.ts';

const MAX_SPOKEN_DEPTH = 3;
const BYTE = [-128n, 127n] as const;
const SHORT = [-32768n, 32767n] as const;
const INT = [-(2n ** 31n), 2n ** 31n - 1n] as const;
const LONG = [-(2n ** 63n), 2n ** 63n - 1n] as const;
const MAX_FLOAT = 3.4028235677973366e38;

const by = (owner: string, name: string): Maker => ({ owner, by: name });

/** A primitive and its box: of two overloads the primitive is preferred. */
function boxed(primitive: string, box: string, rule: (isValue: boolean, boxCost: number) => ScalarRule) {
  return [
    [primitive, rule(true, 0)],
    [`java.lang.${box}`, rule(false, 1)],
  ] as const;
}

function boxedNumber(
  primitive: string,
  box: string,
  rank: { readonly whole: number; readonly fraction: number },
  range: readonly [bigint, bigint] | number,
) {
  return boxed(primitive, box, (isValue, boxCost) => {
    const maker = by(`java.lang.${box}`, 'valueOf');
    const traits = { maker, isValue, boxCost, rank, takesText: primitive === 'long' };
    return typeof range === 'number' ? fraction(range, traits) : wholeNumber(range, traits);
  });
}

/** The JSON is a number or null. */
function optionalNumber(name: string, inner: ScalarRule | undefined): readonly (readonly [string, ScalarRule])[] {
  if (inner === undefined) return [];
  const of = by(name, 'of');
  const empty: MadeValue = made(by(name, 'empty'), [], '');
  const read: ScalarRule['read'] = (json, otherwise, isKey) => {
    const fit = inner.read(json, otherwise, isKey);
    return fit && { value: made(of, [fit.value], otherwise), cost: 2 };
  };
  return [[name, { ...inner, isValue: false, empty, read }]];
}

const DAY = '[+-]?\\d{4,9}-\\d\\d-\\d\\d';
const TIME = '\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?';
const OFFSET = '(?:Z|[+-]\\d\\d(?::\\d\\d(?::\\d\\d)?)?)';
const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'i');
const MOMENT = 'a moment such as 2024-05-31T18:30:00Z';
const ADDRESS = 'an address such as https://example.com/';
const ANY_TEXT = /^[^\0]*$/s;

/** Times without a zone are made from times with one. */
function moment(make: (withOffset: MadeValue, otherwise: string) => MadeValue): ScalarRule {
  const parse = written(MOMENT, whole(`${DAY}T${TIME}${OFFSET}`), by('java.time.OffsetDateTime', 'parse'));
  return {
    ...parse,
    read: (json, otherwise, isKey) => {
      const fit = parse.read(json, otherwise, isKey);
      return fit && { ...fit, value: make(fit.value, otherwise) };
    },
  };
}

const INSTANT = moment((value, otherwise) => made(by('java.time.Instant', 'from'), [value], otherwise));
const OLD_DATE = moment((value, otherwise) =>
  made(by('java.util.Date', 'from'), [made(by('java.time.Instant', 'from'), [value], otherwise)], otherwise),
);

const NUMBERS: readonly (readonly [string, ScalarRule])[] = [
  ...boxedNumber('int', 'Integer', { whole: 0, fraction: 10 }, INT),
  ...boxedNumber('long', 'Long', { whole: 1, fraction: 11 }, LONG),
  ...boxedNumber('short', 'Short', { whole: 2, fraction: 12 }, SHORT),
  ...boxedNumber('byte', 'Byte', { whole: 3, fraction: 13 }, BYTE),
  ...boxedNumber('double', 'Double', { whole: 4, fraction: 0 }, Number.MAX_VALUE),
  ...boxedNumber('float', 'Float', { whole: 5, fraction: 1 }, MAX_FLOAT),
  [
    'java.math.BigInteger',
    wholeNumber(null, {
      maker: by('java.math.BigInteger', 'new'),
      ...{ takesText: true, isValue: false, boxCost: 1, rank: { whole: 6, fraction: 10 } },
    }),
  ],
  [
    'java.math.BigDecimal',
    decimal(Number.POSITIVE_INFINITY, {
      maker: by('java.math.BigDecimal', 'new'),
      ...{ takesText: true, isValue: false, boxCost: 1, rank: { whole: 7, fraction: 3 } },
    }),
  ],
];
const numberRule = (name: string) => NUMBERS.find(([known]) => known === name)?.[1];

const SCALARS = new Map<string, ScalarRule>([
  ...NUMBERS,
  ...optionalNumber('java.util.OptionalInt', numberRule('java.lang.Integer')),
  ...optionalNumber('java.util.OptionalLong', numberRule('java.lang.Long')),
  ...optionalNumber('java.util.OptionalDouble', numberRule('java.lang.Double')),
  ...boxed('boolean', 'Boolean', (isValue, cost) => flag(isValue, by('java.lang.Boolean', 'valueOf'), cost)),
  ...boxed('char', 'Character', (isValue) => character(isValue, by('java.lang.String', 'charAt'))),
  ['java.lang.String', plainText(null, 0)],
  ['java.lang.CharSequence', plainText(null, 1)],
  ['java.lang.StringBuilder', plainText(by('java.lang.StringBuilder', 'new'), 6)],
  ['java.time.Instant', INSTANT],
  [
    'java.util.Date',
    {
      ...OLD_DATE,
      read: (json, otherwise, isKey) =>
        typeof json === 'number' && Number.isSafeInteger(json)
          ? {
              value: made(
                by('java.util.Date', 'new'),
                [made(by('java.lang.Long', 'valueOf'), [{ is: 'json', json: String(json) }], otherwise)],
                otherwise,
              ),
              cost: 8,
            }
          : OLD_DATE.read(json, otherwise, isKey),
    },
  ],
  ...(
    [
      ['java.time.LocalDate', 'a date such as 2024-05-31', whole(DAY), 'parse'],
      ['java.time.LocalDateTime', 'a date and time such as 2024-05-31T18:30:00', whole(`${DAY}T${TIME}`), 'parse'],
      ['java.time.LocalTime', 'a time such as 18:30:00', whole(TIME), 'parse'],
      [
        'java.time.OffsetDateTime',
        'a moment such as 2024-05-31T18:30:00+02:00',
        whole(`${DAY}T${TIME}${OFFSET}`),
        'parse',
      ],
      [
        'java.time.ZonedDateTime',
        'a moment such as 2024-05-31T18:30:00+02:00[Europe/Vienna]',
        whole(`${DAY}T${TIME}${OFFSET}(?:\\[[^\\]]{1,100}\\])?`),
        'parse',
      ],
      ['java.time.Duration', 'a duration such as PT1H30M', /^[+-]?P[\d.,DTHMS+-]+$/i, 'parse'],
      ['java.time.Period', 'a period such as P1Y2M3D', /^[+-]?P[\dYMWD+-]+$/i, 'parse'],
      ['java.time.Year', 'a year such as 2024', /^[+-]?\d{1,9}$/, 'parse'],
      ['java.time.YearMonth', 'a month such as 2024-05', /^[+-]?\d{4,9}-\d\d$/, 'parse'],
      ['java.time.ZoneId', 'a time zone such as Europe/Vienna', /^[\w+:./~-]{1,100}$/, 'of'],
      [
        'java.util.UUID',
        'a UUID such as 123e4567-e89b-12d3-a456-426614174000',
        /^[\da-f]{1,8}(?:-[\da-f]{1,4}){3}-[\da-f]{1,12}$/i,
        'fromString',
      ],
      ['java.net.URI', ADDRESS, ANY_TEXT, 'create'],
      ['java.net.URL', ADDRESS, /^[a-z][a-z\d+.-]*:/i, 'new'],
      ['java.io.File', 'the path of a file', ANY_TEXT, 'new'],
      ['javax.management.ObjectName', 'the name of a management bean', /^[^:\n]*:[^\n]*[=*]/, 'new'],
      ['java.util.Locale', 'a language such as en-GB', /^(?:|[a-z]{2,8}(?:[_-][a-z\d]{1,8})*)$/i, 'forLanguageTag'],
      ['java.util.Currency', 'a currency such as EUR', /^[A-Z]{3}$/, 'getInstance'],
      ['java.nio.charset.Charset', 'an encoding such as UTF-8', /^[a-z\d][\w+:.-]*$/i, 'forName'],
    ] as const
  ).map(([name, wanted, pattern, how]) => [name, written(wanted, pattern, by(name, how))] as const),
  [
    'java.nio.file.Path',
    {
      ...written('the path of a file', ANY_TEXT, by('java.nio.file.Paths', 'get')),
      read: (json, otherwise) =>
        typeof json === 'string' && !json.includes('\0')
          ? {
              value: made(
                by('java.nio.file.Paths', 'get'),
                [
                  { is: 'json', json },
                  { is: 'list', type: null, of: [], otherwise },
                ],
                otherwise,
              ),
              cost: 6,
            }
          : null,
    },
  ],
]);

const list = (type: string, cost: number, holdsNull = true): ContainerRule => ({ is: 'list', type, cost, holdsNull });
const map = (type: string, cost: number, holdsNull = true): ContainerRule => ({ is: 'map', type, cost, holdsNull });
const inUtil = (name: string) => (name === 'Iterable' ? 'java.lang.Iterable' : `java.util.${name}`);
const each = (names: string, rule: (name: string) => ContainerRule) =>
  names.split(' ').map((name) => [inUtil(name), rule(inUtil(name))] as const);

const CONTAINERS = new Map<string, ContainerRule>([
  ...each('Iterable Collection SequencedCollection List AbstractCollection AbstractList', () =>
    list(inUtil('ArrayList'), 0),
  ),
  ...each('ArrayList LinkedList Vector Stack concurrent.CopyOnWriteArrayList', (name) => list(name, 0)),
  ...each('Queue Deque AbstractSequentialList', () => list(inUtil('LinkedList'), 0)),
  ...each('Set SequencedSet AbstractSet', () => list(inUtil('LinkedHashSet'), 1)),
  ...each('SortedSet NavigableSet', () => list(inUtil('TreeSet'), 1, false)),
  ...each('HashSet LinkedHashSet concurrent.CopyOnWriteArraySet', (name) => list(name, 1)),
  ...each('TreeSet concurrent.ConcurrentSkipListSet', (name) => list(name, 1, false)),
  ...each(
    'ArrayDeque PriorityQueue concurrent.ConcurrentLinkedQueue concurrent.ConcurrentLinkedDeque ' +
      'concurrent.LinkedBlockingQueue concurrent.LinkedBlockingDeque concurrent.PriorityBlockingQueue ' +
      'concurrent.LinkedTransferQueue',
    (name) => list(name, 2, false),
  ),
  ...each('Map SequencedMap AbstractMap', () => map(inUtil('LinkedHashMap'), 0)),
  ...each('LinkedHashMap', (name) => map(name, 0)),
  ...each('HashMap WeakHashMap IdentityHashMap', (name) => map(name, 2)),
  ...each('SortedMap NavigableMap', () => map(inUtil('TreeMap'), 2, false)),
  ...each('concurrent.ConcurrentMap', () => map(inUtil('concurrent.ConcurrentHashMap'), 2, false)),
  ...each('TreeMap Hashtable Properties concurrent.ConcurrentHashMap concurrent.ConcurrentSkipListMap', (name) =>
    map(name, 2, false),
  ),
]);

const PARENTS = new Map<string, readonly string[]>(
  (
    [
      ['Collection', 'Iterable'],
      ['List', 'Collection'],
      ['Set', 'Collection'],
      ['Queue', 'Collection'],
      ['Deque', 'Queue'],
      ['SortedSet', 'Set'],
      ['NavigableSet', 'SortedSet'],
      ['ArrayList', 'List'],
      ['Vector', 'List'],
      ['Stack', 'Vector'],
      ['LinkedList', 'List Deque'],
      ['ArrayDeque', 'Deque'],
      ['HashSet', 'Set'],
      ['LinkedHashSet', 'HashSet'],
      ['TreeSet', 'NavigableSet'],
      ['SortedMap', 'Map'],
      ['NavigableMap', 'SortedMap'],
      ['HashMap', 'Map'],
      ['LinkedHashMap', 'HashMap'],
      ['TreeMap', 'NavigableMap'],
      ['Hashtable', 'Map'],
      ['Properties', 'Hashtable'],
      ['concurrent.ConcurrentMap', 'Map'],
      ['concurrent.ConcurrentHashMap', 'concurrent.ConcurrentMap'],
    ] as const
  ).map(([name, parents]) => [inUtil(name), parents.split(' ').map(inUtil)]),
);

export const JAVA_VALUES: ValueTable = {
  scalars: SCALARS,
  containers: CONTAINERS,
  open: new Map([
    ['java.lang.Object', 'all'],
    ['java.lang.Comparable', 'scalars'],
    ['java.io.Serializable', 'scalars'],
    ['java.lang.Number', 'numbers'],
  ]),
  openCost: 20,
  optionals: new Set(['java.util.Optional']),
  tuples: new Set(),
  character: 'char',
  isEnumValue: false,
  isTupleValue: () => false,
  primitives: new Set('int long short byte double float boolean char'.split(' ')),
  parents: PARENTS,
  isErased: true,
  needsEmptyConstructor: true,
  ignoresCase: false,
  member: 'field',
  nothing: new Set(['void', 'java.lang.Void']),
  event: 'java.util.EventObject',
  spoken: (use) => spoken(use, 0),
};

/** Writes a type as users read it: `List<Item>`, `Map<String, Integer>`, `int[]`. */
function spoken({ name, of }: TypeUse, depth: number): string {
  const parts = () => of.map((part) => spoken(part, depth + 1));
  if (name === ARRAY) return `${parts().join('')}[]`;
  return of.length === 0 || depth > MAX_SPOKEN_DEPTH ? simpleName(name) : `${simpleName(name)}<${parts().join(', ')}>`;
}

/** Without its package: the last part of a nested class; an anonymous one (`Shop$1`) keeps all. */
function simpleName(name: string): string {
  const own = name.slice(name.lastIndexOf('.') + 1);
  const dollar = own.lastIndexOf('$');
  return dollar > 0 && /^[^\d]/.test(own.slice(dollar + 1)) ? own.slice(dollar + 1) : own;
}
