/** The roots of programs stay the same: each with its name, its kind, and its place among the others. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { classesOf, QUICK, SHOP, startJava, startVm } from '../support/java.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll, until } from '../support/real-processes.ts';
import { expectRoots, hasMostOf, rootsOf, rootsReported } from '../support/recorded-roots.ts';
import { startScreen } from '../support/runtimes.ts';
import type { Target } from '../support/targets.ts';
import { startTomcat } from '../support/tomcat.ts';

const driver = createJvmDriver(jvm.settings.parse({}));
const targets = path.resolve(import.meta.dirname, '../targets/java');

const cleanups: (() => void)[] = [];
afterEach(async () => {
  await endAll();
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function makeFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'known-roots-'));
  cleanups.push(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

async function startWebapp(): Promise<Target> {
  const tomcat = await startTomcat('webapp');
  cleanups.push(() => tomcat.removeBase());
  await fetch(`${tomcat.origin}/webapp/add?item=bread`);
  return tomcat;
}

async function startJedit(): Promise<Target> {
  const home = makeFolder();
  const env = { DISPLAY: `:${await startScreen()}` };
  const options = [`-Duser.home=${home}`, `-Djava.util.prefs.userRoot=${home}`];
  const args = ['-jar', '/usr/share/jedit/jedit.jar', '-noserver', '-nosplash', '-norestore'];
  return startVm([QUICK, ...args], { env, options, ready: /^/ });
}

const PROGRAMS: Readonly<Record<string, () => Promise<Target>>> = {
  'java-coffee-shop': () => startJava(SHOP),
  'java-locals': () => startJava({ target: 'locals', main: 'com.example.scores.Scores' }, { ready: /ready/ }),
  'java-spring': () => {
    const jars = fs.readFileSync(path.join(targets, 'spring/classpath'), 'utf8').trim();
    const main = 'com.example.bakery.BakeryApplication';
    return startVm(['-cp', `${classesOf('spring')}:${jars}`, main], { ready: /ready/ });
  },
  h2: () => {
    const server = ['org.h2.tools.Server', '-tcp', '-tcpPort', '0', '-ifNotExists', '-baseDir', makeFolder()];
    return startVm([QUICK, '-cp', '/usr/share/java/h2.jar', ...server], { ready: /TCP server running/ });
  },
  tomcat: startWebapp,
  jedit: startJedit,
};

/** Keys that exist when a program has started. */
const SHOWN: Readonly<Record<string, string>> = { jedit: 'view.title', tomcat: 'sessions[0].attributes.cart.items[0]' };

it.each(Object.entries(PROGRAMS))('%s', async (program, start) => {
  const target = await start();
  const app = await until('the attach', () => ProbedApp.attach(driver, target.info).catch(() => null));
  const shown = SHOWN[program];
  const isJedit = program === 'jedit';
  let roots: string[] = [];
  const updates = await rootsReported(async () => {
    roots = await rootsOf(
      app,
      ({ state }, seen) => (shown === undefined || shown in state) && (!isJedit || hasMostOf(program, seen)),
    );
  });
  expectRoots(program, { roots, updates }, isJedit);
  await app.probe.detach();
  expect(target.exitCode()).toBeNull();
});
