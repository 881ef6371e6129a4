import { types } from 'node:util';
import { describe, expect, it } from 'vitest';
import { holdsRows } from '../../../../src/probes/drivers/v8/node/agent/rows.ts';

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
