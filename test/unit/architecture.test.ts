/** Checks the imports between the folders, and the rules that no compiler checks. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DRIVERS } from '../../src/probes/registry.ts';

const ROOT = path.resolve(import.meta.dirname ?? '.', '../..');
const SRC = path.join(ROOT, 'src');
const MAX_LINES = 500;
/** Modules that code inside a target may use. */
const IN_TARGET = [
  'probes/support/framed/frame.ts',
  'probes/drivers/v8/tree',
  'probes/drivers/v8/js/source-limit.ts',
  'probes/insight/name-allocator.ts',
  'probes/insight/walk-rules.ts',
  'probes/insight/screen/words.ts',
  'probes/insight/screen/control-effect.ts',
  'model',
];

interface Import {
  /** Both relative to src. */
  readonly from: string;
  readonly to: string;
  /** Names that exist at run time; `*` for a whole module. */
  readonly values: readonly string[];
}

const files = fs
  .readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => /\.tsx?$/.test(file))
  .sort();
const textOf = (file: string) => fs.readFileSync(path.join(SRC, file), 'utf8');

const STATEMENT = /^(?:import|export)\b(?:\s+(type)\b(?!\s*from))?\s*([^'"();]*?)(?:\bfrom\s*)?['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

function importsOf(file: string): { specifier: string; values: string[] }[] {
  const text = textOf(file);
  const found = [...text.matchAll(STATEMENT)].map(([, type, clause = '', specifier = '']) => ({
    specifier,
    values: type === undefined ? valueNames(clause) : [],
  }));
  const dynamic = [...text.matchAll(DYNAMIC)].map(([, specifier = '']) => ({ specifier, values: ['*'] }));
  return [...found, ...dynamic];
}

/** `A, { type B, C as D }` -> A, C. */
function valueNames(clause: string): string[] {
  const braces = /\{([^}]*)\}/.exec(clause)?.[1] ?? '';
  const named = braces
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('type '));
  const rest = clause
    .replace(/\{[^}]*\}/, '')
    .replaceAll(',', '')
    .trim();
  const whole = rest === '' ? (braces === '' && clause.trim() === '' ? ['*'] : []) : [rest];
  return [...whole, ...named.map((part) => part.split(/\s+as\s+/)[0] ?? part)];
}

const imports: Import[] = files.flatMap((from) =>
  importsOf(from)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, values }) => ({
      from,
      values,
      to: path.posix.join(path.posix.dirname(from), specifier.replace(/\?.*$/, '')),
    })),
);

const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? file) : file);
const show = ({ from, to, values }: Import) =>
  `${from} -> ${to}${values.length > 0 ? ` (${values.join(', ')})` : ' (types)'}`;
const within =
  (...folders: string[]) =>
  (to: string) =>
    folders.some((folder) => to === folder || to.startsWith(`${folder}/`));

/** Imports of a folder that its rule does not allow. */
const offences = (folder: string, isAllowed: (found: Import) => boolean) =>
  imports
    .filter(({ from }) => within(folder)(from))
    .filter((found) => !isAllowed(found))
    .map(show);

describe('arrows', () => {
  it('sees the imports', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(100);
    for (const { from, to } of imports) expect(files, `${from} imports ${to}`).toContain(to);
    expect(valueNames('A, { type B, C as D }')).toEqual(['A', 'C']);
    expect(valueNames('{ type B }')).toEqual([]);
    expect(valueNames('* as x')).toEqual(['* as x']);
  });

  it.each<[string, (found: Import) => boolean]>([
    ['model', ({ to }) => within('model')(to)],
    ['semantic', ({ to }) => within('semantic', 'model')(to)],
    ['host', ({ to }) => within('host', 'model')(to)],
    ['store', ({ to }) => within('store', 'model')(to)],
    ['probes', ({ to }) => within('probes', 'model')(to)],
    ['probes/insight', ({ to }) => within('probes/insight', 'model')(to)],
    ['probes/drivers/v8/node/agent', ({ to }) => within('probes/drivers/v8/node/agent', ...IN_TARGET)(to)],
    ['probes/drivers/v8/page', ({ to }) => within('probes/drivers/v8/page', ...IN_TARGET)(to)],
    [
      'probes/drivers/v8/deno/agent',
      ({ to }) => within('probes/drivers/v8/deno/agent', 'probes/drivers/v8/node/agent', ...IN_TARGET)(to),
    ],
    [
      'probes/drivers/v8/electron/agent',
      ({ to }) =>
        within('probes/drivers/v8/electron/agent', 'probes/drivers/v8/node/agent/protocol.ts', ...IN_TARGET)(to),
    ],
    [
      'probes/drivers/v8/tree',
      ({ to }) => within('probes/drivers/v8/tree', 'probes/insight/walk-rules.ts', 'model')(to),
    ],
    ['probes/support', ({ to }) => within('probes/support', 'probes/insight', 'probes/probe.ts', 'model')(to)],
    [
      'daemon',
      ({ to, values }) =>
        within('daemon', 'semantic', 'model')(to) ||
        (to === 'probes/registry.ts' && values.length === 0) ||
        (to === 'probes/probe.ts' &&
          values.every((name) => /^(?:Attach|Taken|NotDispatched|Blocked|BadArgument|TargetBusy)Error$/.test(name))),
    ],
    ['http', ({ to, values }) => within('http', 'model')(to) || (to === 'daemon/service.ts' && values.length === 0)],
    ['fleet', ({ to }) => within('fleet', 'model')(to)],
    ['client', ({ to, values }) => within('client')(to) || (within('model')(to) && values.length === 0)],
    [
      'client',
      // The package gets the types of the model written out; from no other folder.
      ({ from, to }) => within('client')(to) || from === 'client/types.ts',
    ],
    ['testing', ({ to }) => within('testing', 'client')(to)],
    ['dashboard', ({ to }) => within('dashboard', 'client', 'model/glob.ts')(to)],
    ['mcp', ({ to }) => within('mcp', 'client', 'model', 'version.ts')(to)],
    ['cli', ({ to }) => to !== 'main.ts'],
    [
      'config.ts',
      ({ to }) =>
        within('model', 'config-problems.ts', 'config-schema.ts', 'store/data-folder.ts', 'store/private-path.ts')(to),
    ],
    ['config-schema.ts', ({ to }) => within('model', 'probes/registry.ts')(to)],
    ['version.ts', () => false],
  ])('of %s', (folder, isAllowed) => {
    expect(offences(folder, isAllowed)).toEqual([]);
  });

  it('lets nobody but main.ts start the program', () => {
    expect(imports.filter(({ to }) => to === 'main.ts').map(show)).toEqual([]);
  });

  it('keeps the runtimes apart; only the registry knows their drivers', () => {
    const driver = (file: string) => /^probes\/drivers\/([^/]+)\//.exec(file)?.[1];
    expect([...new Set(files.flatMap((file) => driver(file) ?? []))].sort()).toEqual(
      DRIVERS.map(({ runtime }) => runtime).sort(),
    );
    const foreign = imports.filter(
      ({ from, to }) => driver(to) !== undefined && from !== 'probes/registry.ts' && driver(from) !== driver(to),
    );
    expect(foreign.map(show)).toEqual([]);
    expect(imports.filter(({ from }) => from === 'probes/registry.ts').map(({ to }) => to)).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/drivers\/.*(?<!declaration)\.ts$/)]),
    );
  });

  it('lets nobody else name a runtime', () => {
    const code = (file: string) => textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    const naming = files.filter(
      (file) => !within('probes/drivers', 'probes/registry.ts')(file) && /\b(?:v8|jvm|clr)\b/i.test(code(file)),
    );
    expect(naming).toEqual([]);
  });

  it('go one way within each folder, too', () => {
    const targets = new Map<string, string[]>();
    for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
      if (trail.includes(file) || done.has(file)) return;
      for (const next of targets.get(file) ?? []) visit(next, [...trail, file]);
      done.add(file);
    };
    for (const file of targets.keys()) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it('go one way', () => {
    const targets = new Map<string, Set<string>>();
    for (const { from, to } of imports) {
      const [source, target] = [folderOf(from), folderOf(to)];
      if (source !== target) targets.set(source, (targets.get(source) ?? new Set()).add(target));
    }
    const cycles: string[] = [];
    const visit = (folder: string, trail: readonly string[]): void => {
      if (trail.includes(folder)) cycles.push([...trail.slice(trail.indexOf(folder)), folder].join(' -> '));
      else for (const next of targets.get(folder) ?? []) visit(next, [...trail, folder]);
    };
    for (const folder of targets.keys()) visit(folder, []);
    expect(cycles).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  const page = fs.readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const arrows = [...page.matchAll(/^(.+) ─▶ (.+)$/gm)].flatMap(([, froms = '', targets = '']) =>
    froms.split(', ').map((from) => [from, targets] as const),
  );
  /** `daemon/service.ts (types)` -> the place, and whether only types of it are used. */
  const placeOf = (target: string) => ({
    place: target.replace(' (types)', ''),
    onlyTypes: target.endsWith(' (types)'),
  });

  it('draws the arrows of every part of src', () => {
    const parts = [...new Set(files.map(folderOf))].sort();
    expect(arrows.map(([from]) => from).sort()).toEqual(parts);
  });

  it.each(arrows)('draws the imports that there are: %s ─▶ %s', (from, targets) => {
    const ours = imports.filter((found) => within(from)(found.from) && !within(from)(found.to));
    if (targets === 'everything but main.ts') return expect(ours.filter(({ to }) => to === 'main.ts')).toEqual([]);
    const places = targets === 'nothing of ours' ? [] : targets.split(', ').map(placeOf);
    const isDrawn = ({ to, values }: Import) =>
      places.some(({ place, onlyTypes }) => within(place)(to) && (!onlyTypes || values.length === 0));
    expect(ours.filter((found) => !isDrawn(found)).map(show)).toEqual([]);
    for (const { place } of places)
      expect(
        ours.some(({ to }) => within(place)(to)),
        place,
      ).toBe(true);
  });

  /** Files under `## src/http` and `### drivers/v8` exist there, unless a longer path is given. */
  const named = page.split(/^(?=##)/m).flatMap((section) => {
    const heading = /^#+ (?:src\/|drivers\/)(\w+)/.exec(section);
    const base = heading?.[0].replace(/^#+ /, '').replace(/^drivers/, 'src/probes/drivers') ?? 'src';
    return [...section.matchAll(/`([\w.*/-]+(?:\.(?:tsx?|mjs|md)|\/))`/g)].map(
      ([, name = '']) => [name, base] as const,
    );
  });
  const every = fs
    .readdirSync(SRC, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const file = path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/');
      return entry.isDirectory() ? `${file}/` : file;
    })
    .sort();

  it('names many files', () => {
    expect(named.length).toBeGreaterThan(80);
  });

  it.each(named)('names what exists: %s of %s', (name, base) => {
    const exact = ['', 'src', 'src/probes'].map((folder) => path.join(ROOT, folder, name));
    const pattern = new RegExp(`^${base}/(?:.*/)?${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
    expect(
      name === 'dist/' || exact.some((file) => fs.existsSync(file)) || every.some((file) => pattern.test(file)),
    ).toBe(true);
  });
});

describe('purity', () => {
  const pure = files.filter(within('semantic', 'model', 'probes/insight'));

  it('of semantic, model and insight: nothing of Node', () => {
    const offenders = pure.flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => specifier.startsWith('node:'))
        .map(({ specifier }) => `${file}: ${specifier}`),
    );
    expect(offenders).toEqual([]);
    const code = (file: string) => textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$|'[^'\n]*'/gm, '');
    expect(pure.filter((file) => /\b(?:Buffer|process)\b\s*[.(]|\brequire\(/.test(code(file)))).toEqual([]);
  });

  it('of everything but config, host, the client and the agent: the environment is read in one place', () => {
    const readers = files.filter((file) => /\bprocess\.env\b/.test(textOf(file)));
    expect(readers.filter((file) => !within('config.ts', 'cli', 'client/node.ts', 'main.ts', 'host')(file))).toEqual(
      [],
    );
  });
});

describe('style', () => {
  it('has no file that is too long to be read at one sitting', () => {
    const long = files.filter((file) => textOf(file).split('\n').length > MAX_LINES);
    expect(long).toEqual([]);
  });

  it('switches no check off', () => {
    const silencing = files.filter((file) =>
      /@ts-(?:ignore|expect-error|nocheck)|biome-ignore(?:-all)?\b/.test(textOf(file)),
    );
    expect(silencing).toEqual([]);
  });

  it('opens no file of another program but by the readers that nothing can hold up', () => {
    const careful = [
      'probes/support/plain-file.ts',
      'probes/support/agent-files/held-folder.ts',
      'probes/support/in-root.ts',
      // Files inside a held folder, opened without waiting.
      'probes/drivers/clr/channel/channel-file.ts',
      // Our own files.
      'probes/support/agent-files/built-files.ts',
      // Runs inside the program that owns the file.
      'probes/drivers/v8/electron/agent/relay.ts',
    ];
    const opening = files.filter(
      (file) =>
        file.startsWith('probes/') && /\b(?:openSync|readFileSync|readFile|createReadStream)\(/.test(textOf(file)),
    );
    expect(opening.filter((file) => !careful.includes(file))).toEqual([]);
  });

  it('connects to no socket of another program but as its owner, or to a port', () => {
    const connecting = files.filter(
      (file) => file.startsWith('probes/') && /\bnet\.(?:connect|createConnection)\((?!\{ host\b)/.test(textOf(file)),
    );
    expect(connecting).toEqual(['probes/support/owner.ts']);
  });

  it('has one style of private members', () => {
    expect(files.filter((file) => /\bthis\.#\w/.test(textOf(file)))).toEqual([]);
  });

  it('names files in kebab-case', () => {
    expect(
      files.filter((file) => !/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*(?:\.d)?\.tsx?$/.test(file)),
    ).toEqual([]);
  });
});

describe('what tests expect', () => {
  const patterns: [unknown, object][] = [
    [{ said: 'no' }, { said: /yes/ }],
    [[{ said: ['no'] }], [{ said: [/yes/] }]],
  ];

  it.each(patterns)('is no pattern where anything would match it', (actual, expected) => {
    expect(() => expect(actual).toMatchObject(expected)).toThrow('stringMatching(/yes/)');
  });

  it.each([{ a: 1 }, 'text', 0, null, undefined])('is no empty object where there is %j', (actual) => {
    expect(() => expect({ actual }).toMatchObject({ actual: {} })).toThrow('to match object');
    expect(() => expect([{ actual }]).toMatchObject([{ actual: {} }])).toThrow('to match object');
  });

  it('is found where it is', () => {
    expect({ said: 'yes', empty: {} }).toMatchObject({ said: expect.stringMatching(/yes/), empty: {} });
    expect({ a: undefined, b: 1 }).toMatchObject({ a: undefined });
    expect({ a: undefined }).toEqual({});
    expect({ a: 1 }).not.toEqual({});
  });
});
