/** Named definitions of other languages on the JVM: their namespaces, scripts, objects and collections. */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { classesOf, QUICK, startVm } from '../support/java.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

const driver = createJvmDriver(jvm.settings.parse({}));
const targets = path.resolve(import.meta.dirname, '../targets');
const script = (name: string) => path.join(targets, 'scripts', name);
const jars = (...names: string[]) => names.map((name) => `/usr/share/java/${name}.jar`).join(':');
const added = (target: Target) => until('the line', () => target.output().includes('added'));

afterEach(endAll);

describe('Clojure', () => {
  it('shows the vars of its own namespaces, with what references hold, and runs nothing', async () => {
    const classPath = jars('clojure', 'spec.alpha', 'core.specs.alpha');
    const target = await startVm([QUICK, '-cp', classPath, 'clojure.main', script('shop.clj')], { ready: /ready/ });
    const app = await ProbedApp.attach(driver, target.info);
    const state = await app.read();
    expect(state).toMatchObject({
      'shop.core.orders.size': 1,
      'shop.core.orders["1"].drink': 'latte',
      'shop.core.orders["1"].qty': 1,
      'shop.core.stock.beans': 9,
      'shop.core.stock["milk-litres"]': 4.5,
      'shop.core.journal.length': 1,
      'shop.core.journal[0]': 'opened',
      'shop.core.opened': ':now',
      'shop.core.counter': 3,
      'shop.core.menu[0]': 'espresso',
      'shop.core.menu[2]': ':shop/special',
      'shop.core.prices.espresso': 2.5,
      'shop.core.prices.latte': '7/2',
      'shop.core.prices["tap water"]': 0,
      'shop.core.tags.size': 1,
      'shop.core.tags[0]': ':hot',
      'shop.core.many.length': 1100,
      'shop.core.many[1099]': 1099,
      'shop.core["by-id"].size': 40,
      'shop.core["by-id"]["39"]': 'n39',
      'shop.core["by-age"]["1"]': ':a',
      'shop.core["by-age"]["2"]': null,
      'shop.core.part.length': 2,
      'shop.core.part[1]': 'c',
      'shop.core["no-notes"].size': 0,
      'shop.core["no-errors"].size': 0,
      'shop.core.now.length': 3,
      'shop.core.now[2]': 4,
      'shop.core.waiting[1]': ':y',
      'shop.core.large': '18446744073709551614',
      'shop.core.nothing': null,
      'user.scratch.a.b[1]': 2,
    });
    const names = new Set(Object.keys(state).map((key) => key.split(/[.[]/).slice(0, 3).join('.')));
    const functions = ['Order', 'Sells', 'sell', 'price', 'twice', 'undefined', 'add!', 'closed', 'later'];
    for (const name of functions) expect(names).not.toContain(`shop.core.${name}`);
    expect([...new Set(Object.keys(state).map((key) => key.split(/[.[]/)[0]))].sort()).toEqual(['shop', 'user']);
    target.write('mocha\n');
    await added(target);
    expect(await app.read()).toMatchObject({ 'shop.core.orders["2"].drink': 'mocha', 'shop.core.stock.beans': 8 });
    expect(target.output()).not.toContain('ran');
    await app.probe.detach();
    expect(target.exitCode()).toBeNull();
  });
});

describe('Groovy', () => {
  it('shows the variables of a script and its fields', async () => {
    const options = ['--add-opens', 'java.base/java.lang=ALL-UNNAMED'];
    const main = ['-cp', `${jars('groovy-all', 'asm', 'asm-util', 'antlr', 'commons-cli')}`, 'groovy.ui.GroovyMain'];
    const target = await startVm([QUICK, ...main, script('till.groovy')], { ready: /ready/, options });
    const app = await ProbedApp.attach(driver, target.info);
    const state = await app.read();
    expect(state).toMatchObject({
      'script.orders.length': 1,
      'script.orders[0].drink': 'latte',
      'script.total': '12.5',
      'script.greeting': 'till 1',
      'script.best.cents': 400,
      'till.served': 4,
    });
    target.write('espresso\n');
    await added(target);
    expect(await app.read()).toMatchObject({ 'script.orders.length': 2, 'script.orders[1].drink': 'espresso' });
    await app.probe.detach();
    expect(target.exitCode()).toBeNull();
  });
});

describe('JShell', () => {
  it('shows the variables that were last defined', async () => {
    const args = ['-s', '--execution', 'local', script('counter.jsh')];
    const target = await startVm(args, { tool: 'jshell', ready: /ready/ });
    const app = await ProbedApp.attach(driver, target.info);
    expect(await app.read()).toMatchObject({
      'script.count': 5,
      'script.names[0]': 'Ada',
      'script.note': 'first',
    });
    await app.probe.detach();
  });
});

describe('Scala and Kotlin', () => {
  it('shows objects and their collections by the names in the source', async () => {
    const jar = fs.readFileSync(path.join(targets, 'java/languages/classpath'), 'utf8').trim();
    const classPath = `${classesOf('languages')}:${jar}`;
    const target = await startVm([QUICK, '-cp', classPath, 'com.example.kiosk.Kiosk'], { ready: /ready/ });
    const app = await ProbedApp.attach(driver, target.info);
    const state = await app.read();
    expect(state).toMatchObject({
      'till.lines.length': 2,
      'till.lines[0]': 'milk',
      'till.none.length': 0,
      'till.nothing.length': 0,
      'till.prices.tea': 3,
      'till.prices.size': 2,
      'till.byNumber.size': 40,
      'till.byNumber["39"]': 'n39',
      'till.rooms.length': 69,
      'till.rooms[0]': 'room 1',
      'till.rooms[68]': 'room 69',
      'till.tags.size': 2,
      'till.counts.three': 5,
      'till.counts.size': 3,
      'till.order.two': 3,
      'till.buffer[2]': 'three',
      'till.buffer.length': 3,
      'till.waiting[0]': 'one',
      'till.waiting.length': 3,
      'till.seen.size': 3,
      'till.customer': 'Ada',
      'till.guest': null,
      'till.best[1]': 9,
      'till.pair[0]': 3,
      'till.total': '12.50',
      'till.hidden': 7,
      'kiosk.opened': 8,
      'Ledger.entries[0]': 'opened',
      'Shop.known[0]': 'corner shop',
      'Shelf.books[0]': 'Emma',
      'Shelf.readers': 2,
    });
    expect(Object.keys(state).filter((key) => /\$|MODULE|INSTANCE|Kt\b|Companion/.test(key))).toEqual([]);
    target.write('x');
    await added(target);
    expect((await app.read())['till.lines[0]']).toBe('line');
    await app.probe.detach();
  });
});
