/** On a minimal fake document: the unit tests have no browser. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Effect, RawParameter } from '../../../../../src/model/raw-action.ts';

class FakeNode {
  get nodeType() {
    return 1;
  }
  get firstChild() {
    return null;
  }
  get nextSibling() {
    return null;
  }
  get previousSibling() {
    return null;
  }
  get parentNode() {
    return null;
  }
  get textContent() {
    return '';
  }
}

class FakeElement extends FakeNode {
  private readonly tag: string;
  private readonly attributes: ReadonlyMap<string, string>;
  readonly baseURI = 'https://shop.example/';
  readonly ownerDocument = { getElementById: (id: string) => (id === 'prices' ? this : null) };
  readonly options: { label: string; disabled: boolean }[] = [];

  constructor(tag: string, attributes: Record<string, string> = {}) {
    super();
    this.tag = tag;
    this.attributes = new Map(Object.entries(attributes));
  }
  get localName() {
    return this.tag;
  }
  get shadowRoot() {
    return null;
  }
  get firstElementChild() {
    return null;
  }
  get children() {
    return [];
  }
  get previousElementSibling() {
    return null;
  }
  getAttribute(name: string) {
    return this.attributes.get(name) ?? null;
  }
  hasAttribute(name: string) {
    return this.attributes.has(name);
  }
  hasAttributes() {
    return this.attributes.size > 0;
  }
  querySelector() {
    return null;
  }
  closest() {
    return null;
  }
}

class FakeDocument extends FakeNode {
  get documentElement() {
    return null;
  }
  get title() {
    return '';
  }
  hasFocus() {
    return false;
  }
}

class FakeObserver {
  static last: FakeObserver | null = null;
  readonly observed = new WeakSet<object>();
  readonly tell: (records: readonly object[]) => void;
  constructor(tell: (records: readonly object[]) => void) {
    this.tell = tell;
    FakeObserver.last = this;
  }
  observe(node: object) {
    this.observed.add(node);
  }
  disconnect() {}
  takeRecords() {
    return [];
  }
}

interface Site {
  readonly element: FakeElement;
  readonly kind: string;
  readonly text: string;
  readonly place: object;
}
interface Target {
  readonly kind: string;
  readonly elements: readonly object[];
  readonly rows: readonly string[];
}
interface Listed {
  readonly actions: { name: string; effect: Effect; description: string; parameters: readonly RawParameter[] }[];
  readonly targets: ReadonlyMap<string, Target>;
}
interface Watch {
  renew(): void;
  stop(): void;
  observeShadow(root: object): void;
  changed(): Promise<void>;
  takePlaces(): unknown;
}
interface Modules {
  listActions(screen: object, memory: object): Generator<void, Listed, void>;
  checkRow(then: Target | undefined, now: Target | undefined, index: number | undefined): { problem: string } | null;
  listOptions(options: readonly string[], total: number): string;
  MutationWatch: new () => Watch;
  ControlMemory: new () => object;
}

/** They are written for browsers, whose types this project of tests does not have. */
const load = async (file: string) =>
  (await import(new URL(`../../../../../src/probes/drivers/v8/page/dom/${file}.ts`, import.meta.url).href)) as Modules;
let dom: Modules;

beforeAll(async () => {
  vi.stubGlobal('Node', FakeNode);
  vi.stubGlobal('Element', FakeElement);
  vi.stubGlobal('Document', FakeDocument);
  vi.stubGlobal('MutationObserver', FakeObserver);
  vi.stubGlobal('document', new FakeDocument());
  vi.stubGlobal('window', { addEventListener() {}, removeEventListener() {} });
  vi.stubGlobal('location', { origin: 'https://shop.example' });
  const { listActions } = await load('actions/page-actions');
  const { checkRow } = await load('lists/same-row');
  const { listOptions } = await load('actions/action-parameters');
  const { MutationWatch } = await load('watch/mutation-watch');
  const { ControlMemory } = await load('actions/control-memory');
  dom = { listActions, checkRow, listOptions, MutationWatch, ControlMemory };
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const NOWHERE = { landmark: '', section: { heading: '' }, form: null, row: null, inDialog: false };
const control = (
  kind: string,
  text: string,
  attributes: Record<string, string> = {},
  place: object = NOWHERE,
): Site => ({
  element: new FakeElement(kind === 'link' ? 'a' : kind, attributes),
  kind,
  text,
  place,
});
function list(screen: object): Listed {
  const steps = dom.listActions(
    { forms: [], controls: [], fields: [], modal: null, ...screen },
    new dom.ControlMemory(),
  );
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
const effectOf = (site: Site) => list({ controls: [site] }).actions[0]?.effect;

it('is cut while it lists what can be done', () => {
  const controls = Array.from({ length: 500 }, (_, at) => control('button', `Berth ${at}`));
  const steps = dom.listActions({ forms: [], controls, fields: [], modal: null }, new dom.ControlMemory());
  let count = 0;
  while (!steps.next().done) count++;
  expect(count).toBeGreaterThan(controls.length / 64);
});

describe('links', () => {
  it.each(['/orders', 'orders', 'https://shop.example/x', '?page=2', '#/orders', '#!/x', '#prices', '#top'])(
    'to %s lead somewhere on the site',
    (href) => {
      expect(effectOf(control('link', 'Products', { href }))).toBe('look');
    },
  );

  it.each<[Record<string, string>, Effect]>([
    [{ href: '#' }, 'control'],
    [{ href: '#void' }, 'control'],
    [{ href: '#!' }, 'control'],
    [{ href: '' }, 'control'],
    [{ href: ' JavaScript:void 0' }, 'control'],
    [{ href: 'mailto:ada@example.org' }, 'control'],
    [{ href: 'https://other.example/' }, 'control'],
    [{ href: '//other.example/' }, 'control'],
    [{ href: '/x', onclick: 'go()' }, 'control'],
    [{ href: '/x', download: '' }, 'control'],
    [{ href: '/x', role: 'none' }, 'control'],
    [{ href: '/x', 'data-method': 'delete' }, 'unknown'],
    [{ href: '/x', 'data-turbo-method': 'POST' }, 'unknown'],
    [{ href: '/x', 'data-confirm': 'Are you sure?' }, 'unknown'],
    [{ href: '/x', title: 'Delete it' }, 'unknown'],
  ])('with %j may do more', (attributes, effect) => {
    expect(effectOf(control('link', 'Products', attributes))).toBe(effect);
  });
});

describe('toggles, tabs and check boxes', () => {
  it.each([
    ['tab', 'Confirm', 'unknown'],
    ['tab', 'Details', 'setter'],
    ['toggle', 'Wire money', 'unknown'],
    ['toggle', 'Bold', 'setter'],
    ['button', 'Show', 'control'],
  ])('%s "%s": %s', (kind, text, effect) => {
    expect(effectOf(control(kind, text))).toBe(effect);
  });

  it.each([
    ['checkbox', 'Wire money', 'unknown'],
    ['checkbox', 'Large text', 'setter'],
    ['text', 'Order number', 'setter'],
  ])('a single %s "%s": %s', (kind, label, effect) => {
    const field = { name: 'x', label, kind, element: new FakeElement('input'), radios: [], place: NOWHERE };
    expect(list({ fields: [field] }).actions[0]?.effect).toBe(effect);
  });
});

describe('bounds', () => {
  it('of forms: 60 parameters, a name below 100', () => {
    const fields = Array.from({ length: 150 }, (_, at) => ({
      name: `f_${at}`,
      label: 'x'.repeat(500),
      kind: 'text',
      element: new FakeElement('input'),
      radios: [],
      place: NOWHERE,
    }));
    const button = control('button', 'y'.repeat(60));
    const form = { element: new FakeElement('form'), name: 'x'.repeat(90), fields, buttons: [button], place: NOWHERE };
    const [action] = list({ forms: [form] }).actions;
    expect(action?.parameters.map(({ name }) => name)).toEqual(fields.slice(0, 60).map(({ name }) => name));
    expect(action?.name.length).toBeLessThanOrEqual(100);
    // The name of the pressed control counts.
    expect(action?.name.endsWith('y'.repeat(40))).toBe(true);
    expect(action?.description.length).toBeLessThanOrEqual(1_000);
  });

  it('of lists of options: 30, and how many more', () => {
    expect(dom.listOptions(['a', 'b'], 2)).toBe('a | b');
    const many = dom.listOptions(
      Array.from({ length: 40 }, (_, at) => `o${at}`),
      200,
    );
    expect(many.split(' | ')).toHaveLength(31);
    expect(many).toMatch(/\| o29 \| … and 170 more$/);
    const long = dom.listOptions(
      Array.from({ length: 40 }, () => 'x'.repeat(300)),
      40,
    );
    expect(long.length).toBeLessThan(900);
    expect(long).toMatch(/ more$/);
  });
});

describe('an index', () => {
  const rowsOf = (texts: readonly string[]) =>
    texts.map((text) => control('button', 'Buy', {}, { ...NOWHERE, row: { label: text, text } }));
  const targetOf = (sites: readonly Site[]) => list({ controls: sites }).targets.get('button.buy');
  const TEXTS = Array.from({ length: 12 }, (_, at) => `Article ${String.fromCharCode(65 + at)} for ${at} €`);

  it('means the same row as long as its text is the same', () => {
    expect(targetOf(rowsOf(TEXTS))?.rows).toEqual(TEXTS);
    expect(dom.checkRow(targetOf(rowsOf(TEXTS)), targetOf(rowsOf(TEXTS)), 3)).toBe(null);
  });

  it('is refused after a row came in between, and only from there on', () => {
    const then = rowsOf(TEXTS);
    const now = [...then.slice(0, 2), ...rowsOf(['Article Z for 9 €']), ...then.slice(2)];
    expect(dom.checkRow(targetOf(then), targetOf(now), 1)).toBe(null);
    expect(dom.checkRow(targetOf(then), targetOf(now), 3)?.problem).toBe(
      'the list has changed since: number 3 is now "Article C for 2 €"',
    );
  });

  it('is refused when the page writes another row into the same elements', () => {
    const then = rowsOf(TEXTS);
    const now = then.map((site, at) => ({ ...site, place: rowsOf([`Other ${at}`])[0]?.place ?? {} }));
    expect(dom.checkRow(targetOf(then), targetOf(now), 3)?.problem).toContain('is now "Other 3"');
  });

  it('still means a row in which only a number changed', () => {
    const then = rowsOf(TEXTS);
    const now = then.map((site, at) => ({
      ...site,
      place: rowsOf([TEXTS[at]?.replace(/\d+/, '77.5') ?? ''])[0]?.place ?? {},
    }));
    expect(dom.checkRow(targetOf(then), targetOf(now), 3)).toBe(null);
    // Other elements: it may be any row.
    expect(
      dom.checkRow(targetOf(then), targetOf(now.map((site) => ({ ...site, element: new FakeElement('button') }))), 3),
    ).not.toBe(null);
  });

  it('is needed where there are several by now', () => {
    expect(dom.checkRow(undefined, targetOf(rowsOf(TEXTS)), undefined)?.problem).toContain('index');
    expect(dom.checkRow(undefined, targetOf(rowsOf(TEXTS)), 99)).toBe(null);
    expect(dom.checkRow(undefined, undefined, 0)).toBe(null);
  });
});

describe('the watch', () => {
  beforeEach(() => {
    FakeObserver.last = null;
  });

  it('has one promise for all who wait, and a new one after a change', async () => {
    const watch = new dom.MutationWatch();
    watch.renew();
    watch.takePlaces();
    const first = watch.changed();
    expect(watch.changed()).toBe(first);
    FakeObserver.last?.tell([
      { type: 'childList', target: new FakeElement('p'), attributeName: null, addedNodes: [], removedNodes: [] },
    ]);
    await first;
    watch.takePlaces();
    expect(watch.changed()).not.toBe(first);
    watch.stop();
  });

  it('holds no root that the page removed, and observes a known one again after a break', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const watch = new dom.MutationWatch();
    watch.renew();
    const watchOne = () => {
      const root = Object.assign(new FakeElement('x-row'), { host: null });
      watch.observeShadow(root);
      return new WeakRef(root);
    };
    const gone = watchOne();
    const kept = { host: null };
    watch.observeShadow(kept);
    // A root that was just read is held until the job ends.
    await setImmediate();
    collect();
    expect(gone.deref() === undefined).toBe(true);
    watch.stop();
    watch.renew();
    watch.observeShadow(kept);
    expect(FakeObserver.last?.observed.has(kept)).toBe(true);
    watch.stop();
  });
});
