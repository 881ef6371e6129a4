/** The actions of management beans, from their own descriptions. */
import { describe, expect, it } from 'vitest';
import { JAVA_VALUES } from '../../../../src/probes/drivers/jvm/java-values.ts';
import { BeanActions } from '../../../../src/probes/insight/beans/bean-actions.ts';
import { type BeanKind, beanFacts } from '../../../../src/probes/insight/beans/bean-facts.ts';
import { planOperation } from '../../../../src/probes/insight/beans/bean-operation.ts';

type Told = Partial<BeanKind['operations'][number]> & { readonly name: string };

const operation = ({ parameters = [], ...rest }: Told) => ({
  ...{ description: null, isReading: false, returns: 'void', parameters },
  ...rest,
});
const parameter = (type: string, name: string | null = 'p0', description: string | null = null) => ({
  name,
  type,
  description,
});
const bean = (id: number, ...segments: string[]) => ({
  ...{ id, segments, kind: 0 },
  name: `${segments[0]}:name=${segments[2] ?? ''},type=${segments[1]}`,
  spoken: `${segments[0]}:type=${segments[1]}`,
});
interface Kind {
  readonly operations?: Told[];
  readonly attributes?: BeanKind['attributes'];
  readonly type?: number;
}

const beansOf = (kinds: readonly Kind[], ...beans: object[]) => {
  const whole = kinds.map(({ attributes = [], operations = [], type = null }) => {
    return { attributes, operations: operations.map(operation), type };
  });
  return new BeanActions(beanFacts.parse({ kinds: whole, beans }), JAVA_VALUES);
};
const actionsOf = (kind: Kind, ...beans: object[]) => {
  const found = beansOf([kind], ...beans);
  return { actions: found.actions(() => null), targets: found.targets };
};
const SHELF = bean(1, 'com.example', 'Shelf', 'main');

describe('actions of beans', () => {
  it('are called by domain, type and name, operations before attributes', () => {
    const attributes = [{ name: 'Label', type: 'java.lang.String', description: 'What stands on it' }];
    const { actions } = actionsOf({ attributes, operations: [{ name: 'burn' }] }, SHELF);
    expect(actions).toEqual([
      {
        binding: 'jmx:jmx["com.example"].Shelf.main.burn',
        name: 'jmx["com.example"].Shelf.main.burn',
        parameters: [],
        returns: 'void',
        effect: 'unknown',
        description: 'Calls the operation burn of the management bean com.example:type=Shelf',
      },
      {
        binding: 'jmx:jmx["com.example"].Shelf.main.set_Label',
        name: 'jmx["com.example"].Shelf.main.set_Label',
        parameters: [{ name: 'value', type: 'string', required: true, isChecked: true }],
        returns: 'void',
        effect: 'setter',
        description: 'Sets the attribute Label of the management bean com.example:type=Shelf: What stands on it',
      },
    ]);
  });

  it('name parameters by their types where the bean says nothing', () => {
    const types = ['int', '[Ljava.lang.String;', '[I', 'java.lang.String', 'boolean', 'com.example.Side', 'long'];
    const parameters = [...types.map((type) => parameter(type)), parameter('java.lang.String', 'bean', 'Which one')];
    const { actions } = actionsOf({ operations: [{ name: 'all', parameters }] }, SHELF);
    expect(actions[0]?.parameters.map(({ name, type }) => [name, type])).toEqual([
      ['number', 'number'],
      ['values', 'array'],
      ['values2', 'array'],
      ['text', 'string'],
      ['flag', 'boolean'],
      ['side', 'object'],
      ['number2', 'number'],
      ['whichBean', 'string'],
    ]);
    expect(actions[0]?.parameters.at(-1)?.description).toBe('Which one');
  });

  it('join overloads that the names of their parameters tell apart, whatever their order', () => {
    const one = { name: 'restock', returns: 'int', parameters: [parameter('int')] };
    const two = { ...one, parameters: [parameter('int'), parameter('java.lang.String', 'p1')] };
    const same = { ...one, parameters: [parameter('long')] };
    const expected = actionsOf({ operations: [one, two, same] }, SHELF);
    expect(actionsOf({ operations: [same, two, one] }, SHELF).actions).toEqual(expected.actions);
    expect(expected.actions.map(({ name }) => name.split('.').at(-1))).toEqual(['restock', 'restock_2']);
    expect(expected.actions[0]?.parameters.map(({ name, required }) => [name, required])).toEqual([
      ['number', true],
      ['text', false],
    ]);
    const target = expected.targets.get(expected.actions[0]?.binding ?? '');
    const plan = (args: Record<string, unknown>) =>
      planOperation('restock', target?.operations ?? [], args, JAVA_VALUES, new Map());
    expect(plan({ number: 1, text: 'gift' })).toMatchObject({ operation: 1, isUnsure: false });
    expect(plan({ text: 'gift' })).toMatchObject({
      refusal: 'given text; expected restock(int number), restock(int number, String text)',
    });
    expect(plan({ number: 'x' })).toMatchObject({ refusal: expect.stringContaining('number is "x"') });
  });

  it('are one for many beans of one type', () => {
    const beans = ['east', 'north', 'south', 'west'].map((name, at) => bean(at, 'shop', 'Door', name));
    const { actions, targets } = actionsOf({ operations: [{ name: 'open', isReading: true }] }, ...beans);
    expect(actions).toMatchObject([
      { name: 'jmx.shop.Door.open', effect: 'none', parameters: [{ name: 'bean', required: true }] },
    ]);
    expect(actions[0]?.parameters[0]?.description).toBe('one of: east | north | south | west');
    expect(targets.get('jmx:jmx.shop.Door.open')?.beans.get('south')?.id).toBe(2);
  });

  it('are judged by the code of the methods that they run', () => {
    const look = { name: 'look', returns: 'java.lang.String' };
    const find = {
      name: 'find',
      returns: '[Ljava.lang.String;',
      parameters: [parameter('int'), parameter('[[J', 'p1')],
    };
    const found = beansOf([{ operations: [look, find], type: 4 }], SHELF);
    expect(found.judgedBy).toEqual([
      [4, 'find(I[[J)[Ljava/lang/String;'],
      [4, 'look()Ljava/lang/String;'],
    ]);
    const effects = (worst: 'none' | 'own-state' | null) => found.actions(() => worst).map(({ effect }) => effect);
    expect(effects(null)).toEqual(['unjudged', 'unjudged']);
    expect(effects('none')).toEqual(['none', 'none']);
    expect(effects('own-state')).toEqual(['own-state', 'own-state']);
  });

  it('of many beans are judged by all of their classes, and by none if one is not known', () => {
    const look = { operations: [{ name: 'look', returns: 'int' }] };
    const beans = ['east', 'north', 'south', 'west'].map((name, at) => ({
      ...bean(at, 'shop', 'Door', name),
      kind: at % 2,
    }));
    const known = beansOf(
      [
        { ...look, type: 1 },
        { ...look, type: 2 },
      ],
      ...beans,
    );
    expect(known.judgedBy).toEqual([
      [1, 'look()I'],
      [2, 'look()I'],
    ]);
    const unknown = beansOf([{ ...look, type: 1 }, look], ...beans);
    expect(unknown.judgedBy).toEqual([]);
    expect(unknown.actions(() => 'none')).toMatchObject([{ effect: 'unknown' }]);
  });

  it('leave out what JSON cannot say, and are not more than anybody reads', () => {
    const composite = [parameter('javax.management.openmbean.CompositeData')];
    expect(actionsOf({ operations: [{ name: 'put', parameters: composite }] }, SHELF).actions).toEqual([]);
    const many = Array.from({ length: 900 }, (_, at) => ({ name: `op${at}` }));
    expect(actionsOf({ operations: many }, SHELF).actions).toHaveLength(200);
  });
});
