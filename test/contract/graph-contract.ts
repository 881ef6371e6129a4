/**
 * One object graph, written in Java, C# and JavaScript, gives the same keys, values, actions and reversibilities. The
 * graphs are in test/targets: java/graph, csharp/graph, graph.cjs. A test that names a difference gives its reason.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import type { Scalar } from '../../src/model/scalar.ts';
import type { ProbeDriver } from '../../src/probes/probe.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

/** What must differ, and why. Undefined: it is not there. */
export interface Difference {
  readonly why: string;
  readonly state?: Readonly<Record<string, Scalar | undefined>>;
  readonly actions?: Readonly<Record<string, string | undefined>>;
}

export interface GraphSubject {
  readonly driver: Pick<ProbeDriver, 'attach'>;
  start(): Promise<Target>;
  readonly differences: readonly Difference[];
  /** False: the agent divides the room among the keys in another way. */
  readonly sharesRoom: boolean;
}

const repeated = <Value>(count: number, make: (at: number) => readonly [string, Value]): Record<string, Value> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => make(at)));

const STATE: Readonly<Record<string, Scalar>> = {
  'world.title': 'Corner "Shop"\nsecond line 𝄞 \u0000 end',
  'world.empty': '',
  'world.nothing': null,
  'world.longText': `${'0123456789'.repeat(410).slice(0, 4096)}… [5000 characters]`,
  'world.count': 3,
  'world.most': '9223372036854775807',
  'world.least': '-9223372036854775808',
  'world.exact': 9_007_199_254_740_991,
  'world.huge': '123456789012345678901234567890',
  'world.ratio': 0.1,
  'world.largest': Number.MAX_VALUE,
  'world.smallest': Number.MIN_VALUE,
  'world.notANumber': 'NaN',
  'world.endless': '-Infinity',
  'world.minusZero': 0,
  'world.isOpen': true,
  'world.letter': 'x',
  'world.mood': 'STORMY',
  'world.opened': '2024-01-02T03:04:05Z',
  'world.present': 'here',
  'world.missing': null,
  'world.age': 36,
  'world.size.label': 'large',
  'world.size.order': 2,
  // A small object without objects in it is shown at each place that holds it, any other one at the first.
  'world.address.street': 'Main Street',
  'world.address.number': 12,
  'world.again.street': 'Main Street',
  'world.again.number': 12,
  'world.owner.name': 'Ada',
  'world.owner.friends.length': 1,
  'world.owner.friends[0]': '[ref] world.people[1]',
  'world.boss': '[ref] world.owner',
  'world.employee.name': 'worker',
  'world.employee.name_Employee': 'employee',
  'world.employee.shifts': 2,
  'world.employee.level': 3,
  'world.people.length': 2,
  'world.people[0]': '[ref] world.owner',
  'world.people[1].name': 'Grace',
  'world.people[1].friends.length': 1,
  'world.people[1].friends[0]': '[ref] world.owner',
  'world.mixed.length': 5,
  'world.mixed[0]': 'text',
  'world.mixed[1]': 7,
  'world.mixed[2]': true,
  'world.mixed[3]': null,
  'world.mixed[4].street': 'Side Street',
  'world.mixed[4].number': 3,
  'world.noList.length': 0,
  'world.noMap.size': 0,
  'world.noSet.size': 0,
  'world.numbers.length': 3,
  'world.numbers[0]': 1,
  'world.numbers[1]': 2,
  'world.numbers[2]': 3,
  'world.grid.length': 2,
  'world.grid[0].length': 2,
  'world.grid[0][0]': 1,
  'world.grid[0][1]': 2,
  'world.grid[1].length': 2,
  'world.grid[1][0]': 3,
  'world.grid[1][1]': 4,
  'world.words.length': 3,
  'world.words[0]': 'one',
  'world.words[1]': null,
  'world.words[2]': 'three',
  'world.text': 'hello',
  'world.picture': '[byte[] of 4 bytes]',
  'world.stock.size': 4,
  'world.stock.apple': 5,
  'world.stock["odd key"]': 6,
  'world.stock["a.b[0]"]': 7,
  'world.stock[""]': 8,
  'world.byNumber.size': 2,
  'world.byNumber["1"]': 'one',
  'world.byNumber["-2"]': 'minus two',
  'world.byMood.size': 1,
  'world.byMood.CALM': 1,
  'world.byPerson.size': 1,
  'world.byPerson[0].key': '[ref] world.owner',
  'world.byPerson[0].value': 1,
  'world.byParcel.size': 1,
  'world.byParcel[0].key.code': 'p1',
  'world.byParcel[0].key.stops.length': 0,
  'world.byParcel[0].value': 2,
  // A key is shown at another place, if there is one.
  'world.weights.size': 1,
  'world.weights[0].key': '[ref] world.depot.shelf.parcels[0]',
  'world.weights[0].value': 3,
  'world.depot.shelf.parcels.length': 1,
  'world.depot.shelf.parcels[0].code': 'p2',
  'world.depot.shelf.parcels[0].stops.length': 0,
  'world.tags.size': 2,
  'world.tags[0]': 'red',
  'world.tags[1]': 'green',
  'world.longList.length': 600,
  ...repeated(600, (at) => [`world.longList[${at}]`, at]),
  'world.settings.size': 2,
  'world.settings.theme': 'dark',
  // Secrets: by the name, by the type.
  'world.settings.apiToken': '[redacted]',
  'world.password': '[redacted]',
  'world.vault': '[redacted]',
  'world.login': '[redacted]',
  // The one object of its type; a table that never changed. Loggers, streams, functions and constants are no state.
  'registry.entries': 4,
  'registry.names.length': 0,
  'Program.GLOSSARY.length': 600,
};

const ACTIONS: Readonly<Record<string, string>> = {
  'world.total': 'fn() -> number, reversible_read',
  'world.setTitle': 'fn(title: string) -> void, reversible_write',
  'world.addTag': 'fn(tag: string) -> void, reversible_write',
  'world.removeTag': 'fn(tag: string) -> void, irreversible_write',
  'world.deletePeople': 'fn() -> void, irreversible_write',
  'world.shutdown': 'fn() -> void, irreversible_write',
};

/** Keys that are read where there is room for this many: the nearest of all objects, not all of the first ones. */
const ROOM = 60;
const KEYS_IN_ROOM = [
  'registry.entries',
  'registry.names.length',
  ...[
    'address.number address.street again.number again.street age boss count employee.level employee.name',
    'employee.name_Employee employee.shifts empty endless exact grid.length grid[0].length grid[0][0] huge isOpen',
    'largest least letter longText minusZero missing mixed.length mixed[0] mixed[1] mixed[2] mixed[3]',
    'mixed[4].number mixed[4].street mood most noList.length noMap.size noSet.size notANumber nothing',
    'numbers.length numbers[0] numbers[1] numbers[2] opened owner.friends.length owner.friends[0].friends.length',
    'owner.friends[0].friends[0] owner.friends[0].name owner.name people.length picture present ratio size.label',
    'size.order smallest text title',
  ]
    .flatMap((line) => line.split(' '))
    .map((key) => `world.${key}`),
];

/** A static field is below its class, and a variable of a module is not. */
const ownName = (name: string) => name.replace(/^(?:\[ref\] )?Program\.(?=world\b)/, (start) => start.slice(0, -8));

function normalised(state: Readonly<Record<string, Scalar>>): Record<string, Scalar> {
  const entries = Object.entries(state).map(
    ([key, value]) => [ownName(key), typeof value === 'string' ? ownName(value) : value] as const,
  );
  return Object.fromEntries(entries);
}

function changed<Value>(
  all: Readonly<Record<string, Value>>,
  changes: readonly (Readonly<Record<string, Value | undefined>> | undefined)[],
): Record<string, Value> {
  const entries = Object.entries({ ...all, ...Object.assign({}, ...changes) } as Record<string, Value | undefined>);
  return Object.fromEntries(entries.filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

export function graphContract(name: string, { driver, start, differences, sharesRoom }: GraphSubject): void {
  describe(`the graph contract on ${name}`, () => {
    let target: Target;
    let app: ProbedApp;
    let expected = changed(
      STATE,
      differences.map(({ state }) => state),
    );
    const nameOf = (action: string) => [...app.actions.keys()].find((found) => ownName(found) === action) ?? action;

    beforeAll(async () => {
      target = await start();
      app = await ProbedApp.attach(driver, target.info);
      await app.read('deep');
      await app.until('all actions are judged', () =>
        [...app.actions.values()].every(({ schema }) => schema.judged !== false && app.actions.size > 0),
      );
    });
    afterAll(endAll);

    it('gives each key its value', () => {
      expect(normalised(app.state)).toEqual(expected);
    });

    it('gives each action its reversibility', () => {
      const actions = [...app.actions].map(([action, { schema }]) => [
        ownName(action),
        `${schema.signature}, ${schema.reversibility}`,
      ]);
      const wanted = changed(
        ACTIONS,
        differences.map((difference) => difference.actions),
      );
      expect(Object.fromEntries(actions)).toEqual(wanted);
    });

    it('does not read a secret that it knows by its type', async () => {
      const { leaves } = await app.probe.capture({ depth: 'fast', full: true, signal: AbortSignal.timeout(25_000) });
      const values = Object.values(new LeafReader().apply(leaves).state());
      expect(values).toContain('hunter2');
      expect(values).not.toContain('swordfish');
      expect(values).not.toContain('opensesame');
    });

    it.each<[string, Record<string, unknown>, Record<string, Scalar | undefined>]>([
      ['world.setTitle', { title: 'New' }, { 'world.title': 'New' }],
      ['world.addTag', { tag: 'blue' }, { 'world.tags.size': 3, 'world.tags[2]': 'blue' }],
      ['world.removeTag', { tag: 'blue' }, { 'world.tags.size': 2, 'world.tags[2]': undefined }],
      [
        // What a list showed is shown where it is held besides.
        'world.deletePeople',
        {},
        {
          'world.people.length': 0,
          'world.people[0]': undefined,
          'world.people[1].name': undefined,
          'world.people[1].friends.length': undefined,
          'world.people[1].friends[0]': undefined,
          'world.owner.friends[0]': undefined,
          'world.owner.friends[0].name': 'Grace',
          'world.owner.friends[0].friends.length': 1,
          'world.owner.friends[0].friends[0]': '[ref] world.owner',
        },
      ],
    ])('%s changes what it changes', async (action, args, change) => {
      expect(await app.invoke(nameOf(action), args)).toMatchObject({ ok: true });
      expected = changed(expected, [change]);
      await app.until(action, (state) => {
        const now = normalised(state);
        return Object.entries(change).every(([key, value]) => now[key] === value);
      });
      expect(normalised(app.state)).toEqual(expected);
    });

    it.runIf(sharesRoom)('divides what room there is in one way', async () => {
      await app.probe.detach();
      app = await ProbedApp.attach(driver, target.info, ROOM);
      await app.read();
      const keys = Object.keys(normalised(await app.read()));
      expect(keys.length).toBeGreaterThan(ROOM - 10);
      expect(keys.sort()).toEqual(KEYS_IN_ROOM);
    });

    it('says that what ends the program cannot be undone, and it does end it', async () => {
      await app.invoke(nameOf('world.shutdown')).catch(() => null);
      const { inspector } = createHost();
      await until('the program to end', () => !inspector.isAlive(target.info));
    });
  });
}
