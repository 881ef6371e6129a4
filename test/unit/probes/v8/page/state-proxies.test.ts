import { types } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import createStateAgent, { type StateAgent } from '../../../../../src/probes/drivers/v8/page/state/main.ts';
import { LeafTable } from '../leaf-table.ts';

/** Traps and getters of the app that ran. */
let ran: string[];

const trapped = <Target extends object>(target: Target): Target =>
  new Proxy(
    target,
    new Proxy(
      {},
      {
        get: (_, trap) => {
          ran.push(String(trap));
          return undefined;
        },
      },
    ),
  );

const fiber = (fields: object): Record<string, unknown> => ({
  tag: 0,
  key: null,
  type: null,
  stateNode: null,
  return: null,
  child: null,
  sibling: null,
  alternate: null,
  memoizedProps: null,
  memoizedState: null,
  ...fields,
});

/** A page rendered by React, from these components. */
function render(...components: Record<string, unknown>[]): void {
  const root = fiber({ tag: 3 });
  root.stateNode = { current: root };
  for (const [at, component] of components.entries()) {
    component.return = root;
    component.sibling = components[at + 1] ?? null;
  }
  root.child = components[0] ?? null;
  vi.stubGlobal('document', {
    documentElement: { localName: 'div', nextElementSibling: null, firstElementChild: null, __reactContainer$x: root },
  });
}

interface Hook {
  memoizedState: unknown;
  queue: unknown;
  next: Hook | null;
}

/** `function Cart() { useState(…); … }` */
function withStates(name: string, ...states: unknown[]): { component: Record<string, unknown>; hooks: Hook[] } {
  const hooks = states.map(
    (state): Hook => ({ memoizedState: state, queue: { lastRenderedState: state }, next: null }),
  );
  for (const [at, hook] of hooks.entries()) hook.next = hooks[at + 1] ?? null;
  const type = Object.defineProperty(() => null, 'name', { value: name });
  return { component: fiber({ type, memoizedProps: {}, memoizedState: hooks[0] ?? null }), hooks };
}

/** Like the daemon, with the inspector's knowledge of Proxies. */
class Reader {
  readonly agent: StateAgent = createStateAgent({
    maxKeys: 5000,
    sliceMs: 1000,
    budgetMs: 10_000,
    rootPrefix: 'r',
    labelPrefix: '',
  });
  private readonly table = new LeafTable();
  private labels: { name: string; label?: string }[] = [];

  read(): Record<string, unknown> {
    this.look();
    for (let slice = 0; slice < 50; slice++) {
      const report = JSON.parse(this.agent.poll(false));
      if (!report.more) {
        this.table.apply(report.leaves);
        this.labels = report.roots ?? this.labels;
        return this.shown();
      }
      if (report.suspects) this.look();
    }
    throw new Error('no end');
  }

  private look(): void {
    for (let round = 0; round < 6; round++) {
      const suspects = this.agent.suspects();
      if (suspects.length === 0) return;
      this.agent.markProxies(suspects.flatMap((value, at) => (types.isProxy(value) ? [at] : [])));
    }
  }

  /** Without the variables of the test itself. */
  private shown(): Record<string, unknown> {
    const shown: Record<string, unknown> = {};
    for (const [path, value] of this.table.state()) {
      const root = this.labels.find(({ name }) => path.startsWith(`${name}.`) || path === name);
      if (!root || /__global/.test(root.name)) continue;
      shown[`${root.label ?? ''}${path.slice(root.name.length)}`.replace(/^\./, '')] = value;
    }
    return shown;
  }
}

beforeEach(() => {
  ran = [];
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('Proxies of the app', () => {
  it('in the state of React components are never touched', () => {
    const { component, hooks } = withStates(
      'Cart',
      trapped({ secret: 1 }),
      { lines: [{ tea: 'Assam' }] },
      trapped([1]),
    );
    render(component);
    const reader = new Reader();
    expect(reader.read()).toMatchObject({
      'components.Cart.state': '[Proxy]',
      'components.Cart.state2.lines[0].tea': 'Assam',
      'components.Cart.state3': '[Proxy]',
    });
    Object.assign(hooks[1]?.queue as object, { lastRenderedState: { lines: [trapped({ tea: 'x' })], next: 'Oolong' } });
    for (let poll = 0; poll < 25; poll++) reader.read();
    expect(reader.read()).toMatchObject({
      'components.Cart.state2.lines[0]': '[Proxy]',
      'components.Cart.state2.next': 'Oolong',
    });
    expect(ran).toEqual([]);
  });

  it('in props, dependencies, snapshots and contexts are passed by', () => {
    const proxy = trapped({ store: 1 });
    const { component } = withStates('Cart', { count: 1 });
    component.memoizedProps = { given: proxy, store: { store: proxy } };
    component.memoizedState = {
      memoizedState: component.memoizedState && { count: 1 },
      queue: { lastRenderedState: { count: 1 } },
      next: {
        memoizedState: [proxy, [proxy]],
        queue: null,
        next: {
          memoizedState: { current: proxy },
          queue: null,
          next: { memoizedState: proxy, queue: { value: proxy, getSnapshot: () => proxy }, next: null },
        },
      },
    };
    const session = fiber({
      tag: 10,
      type: { displayName: 'SessionContext' },
      memoizedProps: { value: { user: 'Ada', proxy } },
    });
    const other = fiber({ tag: 10, type: { displayName: 'OtherContext' }, memoizedProps: { value: proxy } });
    render(component, session, other);
    const reader = new Reader();
    for (let poll = 0; poll < 12; poll++) reader.read();
    expect(reader.read()).toMatchObject({
      'components.Cart.count': 1,
      'Session.user': 'Ada',
      'Session.proxy': '[Proxy]',
    });
    expect(ran).toEqual([]);
  });

  it('in the state of a class, or as all of it, are never touched', () => {
    class Till {
      state: object = { open: true, held: trapped({ a: 1 }) };
    }
    Object.assign(Till.prototype, { isReactComponent: {} });
    const till = new Till();
    const hidden = new Till();
    hidden.state = trapped({ open: true });
    render(fiber({ tag: 1, type: Till, stateNode: till }), fiber({ tag: 1, type: Till, stateNode: hidden }));
    const reader = new Reader();
    expect(reader.read()).toMatchObject({ 'components.Till.open': true, 'components.Till.held': '[Proxy]' });
    till.state = { open: false, held: null };
    expect(reader.read()).toMatchObject({ 'components.Till.open': false, 'components.Till.held': null });
    till.state = trapped({ open: true });
    expect(reader.read()).toMatchObject({ 'components.Till.open': false });
    expect(ran).toEqual([]);
  });

  it('in variables are not asked for their names', () => {
    vi.stubGlobal('q', trapped({ secret: 1 }));
    render();
    const reader = new Reader();
    for (let poll = 0; poll < 3; poll++) reader.read();
    expect(ran).toEqual([]);
  });

  it('do not run getters of their component', () => {
    const { component } = withStates('Cart', 'Assam');
    Object.defineProperty(component.type, 'displayName', { get: () => ran.push('displayName') });
    render(component);
    expect(new Reader().read()).toMatchObject({ 'components.Cart.state': 'Assam' });
    expect(ran).toEqual([]);
  });
});

describe('variables', () => {
  it('leave names alone that the daemon shows itself', () => {
    vi.stubGlobal('tabs', 3);
    render();
    expect(new Reader().read()).toEqual({ 'window.tabs': 3 });
  });
});

describe('what is shown of components', () => {
  it('is without ids that a library made up', () => {
    const { component, hooks } = withStates('Cart', 'mui-36947', 'Assam');
    render(component);
    const reader = new Reader();
    expect(reader.read()).toEqual({ 'components.Cart.state2': 'Assam' });
    Object.assign(hooks[0]?.queue as object, { lastRenderedState: 'Oolong' });
    expect(reader.read()).toEqual({ 'components.Cart.state': 'Oolong', 'components.Cart.state2': 'Assam' });
  });

  it('is data, not the objects that work for a component', () => {
    class ScrollManager {
      offset = 12;
      reset(): void {
        this.offset = 0;
      }
    }
    class Size {
      width = 3;
    }
    const { component } = withStates(
      'Grid',
      { manager: new ScrollManager(), size: new Size(), rows: [new ScrollManager()] },
      new ScrollManager(),
    );
    render(component);
    expect(new Reader().read()).toEqual({
      'components.Grid.state.manager': '[ScrollManager]',
      'components.Grid.state.size.width': 3,
      'components.Grid.state.rows.length': 1,
      'components.Grid.state.rows[0].offset': 12,
      'components.Grid.state2.offset': 12,
    });
  });

  it('is what stands in a dictionary, also where something else holds it, too', () => {
    class Kind {
      readonly text: string;
      constructor(text: string) {
        this.text = text;
      }
      describe(): string {
        return this.text;
      }
    }
    const book = new Kind('to read');
    const byName = Object.assign(Object.create(null), { book, author: new Kind('writes') });
    render(withStates('Schema', { main: book, byName, other: new Kind('inner') }).component);
    expect(new Reader().read()).toEqual({
      'components.Schema.main': '[Kind]',
      'components.Schema.byName.book.text': 'to read',
      'components.Schema.byName.author.text': 'writes',
      'components.Schema.other': '[Kind]',
    });
  });

  it('is without widgets of libraries', () => {
    render(withStates('TouchRipple', [1]).component, withStates('Cart', 'Assam').component);
    expect(new Reader().read()).toEqual({ 'components.Cart.state': 'Assam' });
  });
});
