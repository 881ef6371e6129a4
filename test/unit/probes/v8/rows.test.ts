import { EventEmitter } from 'node:events';
import { types } from 'node:util';
import { describe, expect, it } from 'vitest';
import { DataHolders, holdsRows } from '../../../../src/probes/drivers/v8/node/agent/rows.ts';

class Library {
  constructor(fields: object) {
    Object.assign(this, fields);
  }
}

describe('what a library keeps for the app', () => {
  it.each([
    ['a list of records', { rows: [{ id: 1 }] }, true],
    ['tables below one object', { data: { posts: [{ id: 1, title: 'a' }] } }, true],
    ['a map of records', { sessions: new Map([['a', { user: 'ann' }]]) }, true],
    ['records by address', { cache: { '10.0.0.1:6881': { value: 1 }, '10.0.0.2:6881': { value: 2 } } }, true],
    ['a record without a name', { hashMap: { '': { value: 3, labels: {} } } }, true],
    ['named options', { options: { limits: { depth: 1 }, paths: { root: '/' } } }, false],
    ['nothing yet', { rows: [] }, false],
    ['names', { names: ['a', 'b'] }, false],
    ['options', { options: { depth: 1 } }, false],
    ['handlers', { layers: [{ name: 'a', handle: () => 1 }] }, false],
    ['objects of classes', { parts: [new Library({ id: 1 })] }, false],
    ['a Proxy', { rows: [new Proxy({ id: 1 }, {})] }, false],
  ])('%s', (_, fields, expected) => {
    expect(holdsRows(new Library(fields), types)).toBe(expected);
  });

  it('runs no getter', () => {
    const fields = Object.defineProperty({}, 'rows', {
      enumerable: true,
      get: () => {
        throw new Error('it ran');
      },
    });
    expect(holdsRows(fields, types)).toBe(false);
  });
});

describe('which objects of libraries are opened', () => {
  class Connection extends EventEmitter {
    id = 'c1';
  }

  it.each<[string, object]>([
    ['connections by id', { clients: { c1: new Connection() } }],
    ['a set of connections', { clients: new Set([new Connection()]) }],
    ['a list of connections', { pool: [new Connection()] }],
    ['tables of a database', { collections: [new Library({ data: [{ id: 1 }] })] }],
    ['tables of which the first is empty', { collections: [new Library({}), new Library({ data: [{ id: 1 }] })] }],
  ])('those with %s, and what is in there', (_, fields) => {
    const holders = new DataHolders(types);
    const server = new Library(fields);
    expect(holders.has(server)).toBe(true);
    const [held] = Object.values(fields).flatMap((list) => (list instanceof Set ? [...list] : Object.values(list)));
    expect(holders.has(held)).toBe(true);
  });

  it('not those with parts that nothing listens to', () => {
    expect(new DataHolders(types).has(new Library({ parts: [new Library({ id: 1 })] }))).toBe(false);
  });

  it('stay open when they are empty again, and open when they were filled', () => {
    const holders = new DataHolders(types);
    const clients = new Set<object>();
    const server = new Library({ clients });
    expect(holders.has(server)).toBe(false);
    clients.add(new Connection());
    expect(Array.from({ length: 20 }, () => holders.has(server))).toContain(true);
    clients.clear();
    expect(Array.from({ length: 20 }, () => holders.has(server))).not.toContain(false);
  });
});
