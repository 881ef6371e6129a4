import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { attach, fast, full } from '../contract/probe-contract.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget } from '../support/targets.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
const TARGETS = path.resolve(import.meta.dirname, '../targets');

/** The layout of an installed npm program that is run by its command. */
const FILES = {
  'ferryd/package.json': JSON.stringify({
    name: 'ferryd',
    version: '3.2.1',
    bin: './bin/cli.js',
    scripts: { test: 'none' },
    dependencies: { '@ferryd/desk': '*', 'tiny-db': '*' },
  }),
  'ferryd/bin/cli.js': `
    const pkg = require('../package.json');
    const { startDesk } = require('@ferryd/desk');
    const { text } = require('../lib/i18n');
    const args = { port: 4020, file: 'db.json' };
    startDesk(require('../lib/router')());
    setInterval(() => text('tick') && args && pkg, 1000);
    console.log('ready');`,
  'ferryd/lib/i18n.js': `
    const texts = { tick: 'tick', hello: 'Welcome aboard' };
    exports.text = (name) => texts[name];`,
  'ferryd/lib/levels.js': `
    exports.Level = { '0': 'Low', '1': 'High', Low: 0, High: 1 };`,
  'ferryd/lib/router.js': `
    const TinyDb = require('tiny-db');
    require('./levels');
    const MAX_ROWS = 500;
    module.exports = () => {
      const db = new TinyDb({ ferries: [{ id: 1, name: 'Petrel', berth: 'south-9' }] });
      return { list: () => db.read('ferries').slice(0, MAX_ROWS), add: (row) => db.read('ferries').push(row) };
    };`,
  '@ferryd/desk/package.json': JSON.stringify({ name: '@ferryd/desk', version: '3.2.1' }),
  '@ferryd/desk/index.js': `
    "use strict";
    Object.defineProperty(exports, '__esModule', { value: true });
    const _os = { default: require('node:os') };
    class Desk { constructor() { this.open = true; this.sold = 0; } sell() { this.sold++; } }
    let desk = null;
    exports.startDesk = (routes) => {
      desk = new Desk();
      setInterval(() => { desk.sell(); routes.list(); _os.default.uptime(); }, 50);
      process.stdin.on('data', (chunk) => routes.add(JSON.parse(chunk)));
    };`,
  'tiny-db/index.js': `
    let opened = 0;
    const secrets = { inside: 'of the library' };
    module.exports = class TinyDb {
      constructor(data) { opened++; this.data = data; this.read = (name) => secrets && this.data[name]; }
    };`,
};

function install(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'packages-'));
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.join(folder, 'node_modules', name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  return folder;
}

describe('a program that is a package', () => {
  let folder = '';
  afterEach(async () => {
    await endAll();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('is the app, with its other packages and the rows that a library keeps for it', async () => {
    folder = install();
    const target = await startTarget(path.relative(TARGETS, path.join(folder, 'node_modules/ferryd/bin/cli.js')));
    const probe = await attach(driver, target);
    const capture = await probe.capture(full());
    const reader = new LeafReader().apply(capture.leaves);
    const { 'desk.desk.sold': sold, ...state } = reader.state();
    expect(sold).toEqual(expect.any(Number));
    expect(state).toEqual({
      // The only fields of the package's manifest; no texts, constants, modules, and nothing of the library's own.
      'pkg.name': 'ferryd',
      'pkg.version': '3.2.1',
      'args.port': 4020,
      'args.file': 'db.json',
      'desk.desk.open': true,
      'levels.Level["0"]': 'Low',
      'levels.Level["1"]': 'High',
      'levels.Level.Low': 0,
      'levels.Level.High': 1,
      'router.db.data.ferries.length': 1,
      'router.db.data.ferries[0].id': 1,
      'router.db.data.ferries[0].name': 'Petrel',
      'router.db.data.ferries[0].berth': 'south-9',
    });
    // An enumeration says nothing about the activity of the program.
    const constants = capture.roots?.filter((root) => root.constants !== undefined);
    expect(constants).toEqual([expect.objectContaining({ name: 'levels', constants: [''] })]);
    expect(capture.actions?.map(({ name }) => name)).toContain('desk.desk.sell');
    target.write(JSON.stringify({ id: 2, name: 'Kittiwake' }));
    await until('the new row', async () => {
      reader.apply((await probe.capture(fast())).leaves);
      return reader.state()['router.db.data.ferries[1].name'] === 'Kittiwake';
    });
    await probe.detach();
  });
});
