/**
 * Reads real Java objects inside real JVMs: `state-harness/` is compiled with the agent's classes, and each of its
 * cases compares the agent's result with Java's own.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findJdks } from '../../scripts/java-targets.mjs';
import { SHORT_RUN } from '../../scripts/javac.mjs';
import { javaRules } from '../../src/probes/drivers/jvm/java-classes.ts';
import { QUICK } from '../support/java.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const AGENT = path.join(ROOT, 'src/probes/drivers/jvm/agent/java');
const HARNESS = path.join(import.meta.dirname, 'state-harness');
/** The oldest version that the cases are compiled for, and that of the cases with records. */
const RELEASE = 11;
const RECORDS_RELEASE = 17;

/** Packages that the agent opens for itself in a real program. */
const OPENED = [
  'lang',
  'lang.ref',
  'lang.reflect',
  'util',
  'util.concurrent',
  'util.concurrent.atomic',
  'util.concurrent.locks',
]
  .map((name) => `java.base/java.${name}`)
  .concat('java.sql/java.sql', 'jdk.httpserver/sun.net.httpserver');

const CASES: Readonly<Record<string, readonly string[]>> = {
  CollectionCases: ['lists', 'sets', 'maps', 'treeBins', 'keys'],
  OwnCases: ['arrays', 'nodes', 'onlySteps'],
  ObjectCases: ['values', 'objects', 'references'],
  RecordCases: ['records'],
  DeltaCases: [
    'manySeeds',
    'manySeedsUnderCaps',
    'oneChangeIsOneSlot',
    'slotsAreRenewed',
    'setMembersKeepTheirPlaces',
    'capIsKept',
    'noSubtreeEatsTheCap',
    'noPartEatsTheShareOfOthers',
    'longTextsOfOneHash',
    'setsKeepTheirPlacesWhenTheCapIsReached',
  ],
  HostileCases: [
    'nothingIsCalled',
    'heldMonitorsDoNotMatter',
    'longChainsEnd',
    'mutationsDuringTheWalk',
    'smallHeaps',
    'nothingIsKeptAlive',
    'longTextsDrawOnTheHeap',
    'noFileSystemIsKeptAlive',
  ],
  HeldCases: ['deployments', 'outerObjects', 'insideHandlers', 'foundRootsGiveWay'],
  HttpCases: ['handlers'],
  NoiseCases: [
    'constants',
    'whatCanChangeStays',
    'classesThatOnlyRefer',
    'machinery',
    'largeArrays',
    'commandLine',
    'tablesComeLast',
    'longTablesAreCounted',
  ],
  RootCases: [
    'statics',
    'threads',
    'capturedCollections',
    'variablesOfLambdas',
    'reachableRootsAreShownOnce',
    'stacks',
    'returnedValuesNameTheirRoots',
    'proxies',
    'sessionsKeepTheirOrder',
    'unloadedClassesGiveWay',
    'variablesBeforeConstants',
    'keysOfMapsAreNoPlaces',
  ],
};

/** Further JDKs by their homes, like a PATH. */
const homes = [
  ...findJdks().map(({ home }) => home),
  ...(process.env.SUBSTRATE_TEST_JDKS ?? '').split(path.delimiter).filter((home) => home !== ''),
];
const jdks = homes.map((home) => ({ home, version: versionOf(home) })).filter(({ version }) => version >= RELEASE);

const classes = fs.mkdtempSync(path.join(os.tmpdir(), 'state-harness-'));

function versionOf(home: string): number {
  const release = fs.readFileSync(path.join(home, 'release'), 'utf8');
  return Number(/^JAVA_VERSION="(?:1\.)?(\d+)/m.exec(release)?.[1]);
}

function run(
  java: string,
  modules: string,
  options: readonly string[],
  suites: readonly string[],
): Map<string, string> {
  const opens = OPENED.filter((opened) => modules.includes(`${opened.split('/')[0]}@`)).flatMap((opened) => [
    '--add-opens',
    `${opened}=ALL-UNNAMED`,
  ]);
  // A substrate on this machine would attach to it, and cause a warning.
  const alone = '-XX:+DisableAttachMechanism';
  // Softly held objects go at once, so that classes can be unloaded.
  const forgetful = '-XX:SoftRefLRUPolicyMSPerMB=0';
  const { stdout, stderr } = spawnSync(
    java,
    [
      alone,
      forgetful,
      QUICK,
      `-Dtables=${JSON.stringify(javaRules('harness.Harness'))}`,
      ...opens,
      ...options,
      '-cp',
      classes,
      'harness.Harness',
      ...suites,
    ],
    {
      encoding: 'utf8',
      timeout: 120_000,
    },
  );
  expect(stderr).toBe('');
  const lines = stdout.split('\n').filter((line) => line.includes('\t'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)]));
}

beforeAll(() => {
  const compiler = findJdks().find(({ version }) => version >= RECORDS_RELEASE);
  if (!compiler) throw new Error(`the tests need a JDK ${RECORDS_RELEASE}`);
  const javac = path.join(compiler.home, 'bin/javac');
  const common = [...SHORT_RUN, '-g', '-nowarn', '-Xlint:none', '-encoding', 'UTF-8', '-d', classes, '-cp', classes];
  execFileSync(javac, [
    ...common,
    '--release',
    '8',
    '-sourcepath',
    AGENT,
    `${AGENT}/substrate/agent/state/StateReader.java`,
  ]);
  const files = fs.readdirSync(HARNESS).filter((file) => file.endsWith('.java'));
  const [records, others] = [
    files.filter((file) => file === 'RecordCases.java'),
    files.filter((file) => file !== 'RecordCases.java'),
  ];
  for (const [release, sources] of [
    [RELEASE, others],
    [RECORDS_RELEASE, records],
  ] as const)
    execFileSync(javac, [...common, '--release', String(release), ...sources.map((file) => path.join(HARNESS, file))]);
}, 120_000);

afterAll(() => fs.rmSync(classes, { recursive: true, force: true }));

describe.each(jdks)('state of a Java $version program', ({ home, version }) => {
  const java = path.join(home, 'bin/java');
  const modules = execFileSync(java, ['--list-modules'], { encoding: 'utf8' });
  const suites = Object.keys(CASES).filter(
    (suite) =>
      (suite !== 'RecordCases' || version >= RECORDS_RELEASE) &&
      (suite !== 'HttpCases' || modules.includes('jdk.httpserver')) &&
      (suite !== 'ObjectCases' || modules.includes('java.sql')),
  );
  let results = new Map<string, string>();
  beforeAll(() => {
    results = run(java, modules, version < 16 ? ['--illegal-access=deny'] : [], suites);
  }, 150_000);

  it.each(suites.flatMap((suite) => (CASES[suite] ?? []).map((name) => `${suite}.${name}`)))('%s', (name) => {
    expect(results.get(name)).toBe('ok');
  });

  it('has no case that is not named here', () => {
    const named = suites.flatMap((suite) => (CASES[suite] ?? []).map((name) => `${suite}.${name}`));
    expect([...results.keys()].sort()).toEqual(named.sort());
  });

  it('takes no more than its part of a small heap', () => {
    expect(run(java, modules, ['-Xmx40m'], ['HostileCases.smallHeaps'])).toEqual(
      new Map([['HostileCases.smallHeaps', 'ok']]),
    );
  });
});
